import { useState } from 'react';

/** Whether this browser has seen the steps unfinished (`open`), or need not show them any more (`hidden`). */
type Remembered = 'open' | 'hidden' | null;

/** What this browser remembers of an account's first steps. */
export function useRemembered(accountId: string): [Remembered, (next: 'open' | 'hidden') => void] {
  const name = `first-steps:${accountId}`;
  const read = (): Remembered => {
    const kept = localStorage.getItem(name);
    return kept === 'open' || kept === 'hidden' ? kept : null;
  };
  const [remembered, setRemembered] = useState(read);
  const remember = (next: 'open' | 'hidden') => {
    localStorage.setItem(name, next);
    setRemembered(next);
  };
  return [remembered, remember];
}
