import { lazy, type ReactElement, Suspense } from 'react';
import { exactMoment } from './shown-moment.ts';

// It needs as much as all menus together, and no page waits for it.
const Tooltip = lazy(() => import('./tooltip.ts'));

/** Shows the exact moment under the pointer, at a touch, and with the keyboard. */
export function ExactTip({ at, children }: { readonly at: string; readonly children: ReactElement }) {
  return (
    <Suspense fallback={children}>
      <Tooltip label={exactMoment(at)} events={{ hover: true, focus: true, touch: true }} portalProps={{ target: '#page' }}>
        {children}
      </Tooltip>
    </Suspense>
  );
}
