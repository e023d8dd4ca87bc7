import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.ts';
import { Branded } from './brand/branded.tsx';
import { createPortalRouter } from './router.tsx';
import { followSessionEnd } from './session/session-end.ts';
import { takeStart } from './session/take-start.ts';
// After the styles of the components.
import './portal.css';

// What is reported before they are there is shown by them then.
const Notifications = lazy(() => import('./shell/notifications.ts'));

const place = document.getElementById('app');
if (place === null) throw new Error('the document has no place for the portal');
const queryClient = createQueryClient();
const router = createPortalRouter(queryClient);
followSessionEnd(queryClient, router);

const root = createRoot(place);
// Until the first page can be shown, the document's shell stays.
void takeStart(queryClient)
  .then(() => router.load())
  .finally(() =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <Branded>
            <Suspense fallback={null}>
              <Notifications position="bottom-right" />
            </Suspense>
            <RouterProvider router={router} />
          </Branded>
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
