import { useEffect, useEffectEvent, useState } from 'react';
import { answersNow } from './answers.ts';

/** The server is asked after a second, then ever more seldom. */
const firstPauseMs = 1000;
const longestPauseMs = 5000;

interface ReturnOptions {
  /** Whether an answer of the server is known to be missing; otherwise it is asked at once. */
  readonly missed: boolean;
  /** Called once, when the server answers again. */
  onReturn(): void;
}

/** Waits for a server that cannot be reached. Says whether it is away; null until that is known. */
export function useReturn({ missed, onReturn }: ReturnOptions): boolean | null {
  const [away, setAway] = useState<boolean | null>(missed ? true : null);
  const returned = useEffectEvent(onReturn);
  useEffect(() => {
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pauseMs = firstPauseMs;
    const ask = async () => {
      if (await answersNow()) return true;
      if (over) return false;
      setAway(true);
      askLater();
      return false;
    };
    const askLater = () => {
      timer = setTimeout(async () => {
        if ((await ask()) && !over) returned();
      }, pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    };
    if (missed) askLater();
    else void ask().then((answers) => answers && !over && setAway(false));
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [missed]);
  return away;
}
