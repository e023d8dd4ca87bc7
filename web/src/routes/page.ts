import { lazyRouteComponent } from '@tanstack/react-router';
import { answersNow } from '../live/answers.ts';
import { ScriptMissing } from '../live/script-missing.ts';

/**
 * The component of a page, loaded when it is first opened. When a script does not come, the router loads the document anew, which helps after
 * an upgrade; while the server is away it would leave people with their browser's own error page.
 */
export const page: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch(async (error: unknown) => {
        throw (await answersNow()) ? error : new ScriptMissing(error);
      }),
    name,
  );
