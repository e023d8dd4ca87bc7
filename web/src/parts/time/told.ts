import { useCallback, useSyncExternalStore } from 'react';

const everyMs = 1000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for everything on the page that tells an age. */
function listen(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    // Nobody reads what a hidden page says; it is looked at again once it is seen.
    if (document.visibilityState === 'visible') for (const each of listeners) each();
  }, everyMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** What `tell` says of the present moment; drawn anew only when it says something else. */
export function useTold<Words extends string>(tell: (now: number) => Words): Words {
  return useSyncExternalStore(
    listen,
    useCallback(() => tell(Date.now()), [tell]),
  );
}
