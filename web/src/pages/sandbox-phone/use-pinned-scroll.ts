import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Within this distance of the end (pixels) the list follows new items. */
const nearPx = 60;

interface PinnedScroll {
  readonly viewport: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** Something arrived while the reader was further up. */
  readonly below: boolean;
  toEnd(): void;
}

/** Keeps a list scrolled to its end while it grows, unless the reader has scrolled up. `last` identifies its last item, `list` the list. */
export function usePinnedScroll(list: string, last: string | null): PinnedScroll {
  const viewport = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const pinned = useRef(true);
  const [below, setBelow] = useState(false);

  const toEnd = () => {
    pinned.current = true;
    setBelow(false);
    viewport.current?.scrollTo({ top: viewport.current.scrollHeight });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its end.
  useLayoutEffect(toEnd, [list]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is told is that the last item is another one.
  useLayoutEffect(() => {
    if (pinned.current) toEnd();
    else setBelow(true);
  }, [last]);
  useEffect(() => {
    const [box, inside] = [viewport.current, content.current];
    if (box === null || inside === null) return;
    const scrolled = () => {
      pinned.current = box.scrollHeight - box.scrollTop - box.clientHeight < nearPx;
      if (pinned.current) setBelow(false);
    };
    // Pictures get their height only when they are loaded.
    const grown = new ResizeObserver(() => {
      if (pinned.current) box.scrollTo({ top: box.scrollHeight });
    });
    grown.observe(inside);
    box.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      grown.disconnect();
      box.removeEventListener('scroll', scrolled);
    };
  }, []);
  return { viewport, content, below, toEnd };
}
