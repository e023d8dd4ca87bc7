import { lazy, Suspense, useEffect, useId, useState } from 'react';
import { exactMoment } from './shown-moment.ts';

// It needs as much as all menus together, and no page waits for it.
const Tooltip = lazy(() => import('./tooltip.ts'));

/** What has an exact moment: the attribute holds it, in ISO 8601. */
const attribute = 'data-exact';
const of = (target: EventTarget | null) => (target instanceof Element ? target.closest(`[${attribute}]`) : null);

/**
 * Shows the exact moment of a time under the pointer, at a touch, and with the keyboard. One for the whole page: a list has a hundred times,
 * and a tip for each would take longer to draw than the list.
 */
export function ExactTip() {
  const [shown, setShown] = useState<Element | null>(null);
  const id = useId();
  useEffect(() => {
    const end = new AbortController();
    const on = <Name extends keyof DocumentEventMap>(name: Name, listen: (event: DocumentEventMap[Name]) => void) =>
      document.addEventListener(name, listen, { signal: end.signal });
    // A finger makes it too.
    on('mouseover', ({ target }) => setShown(of(target)));
    on('focusin', ({ target }) => setShown(target instanceof Element && target.matches(':focus-visible') ? of(target) : null));
    on('focusout', () => setShown(null));
    on('keydown', ({ key }) => {
      if (key === 'Escape') setShown(null);
    });
    return () => end.abort();
  }, []);
  useEffect(() => {
    shown?.setAttribute('aria-describedby', id);
    return () => shown?.removeAttribute('aria-describedby');
  }, [shown, id]);
  const at = shown?.getAttribute(attribute);
  if (!(shown instanceof HTMLElement) || !at) return null;
  return (
    <Suspense fallback={null}>
      <Tooltip opened target={shown} label={<span id={id}>{exactMoment(at)}</span>} portalProps={{ target: '#page' }} />
    </Suspense>
  );
}
