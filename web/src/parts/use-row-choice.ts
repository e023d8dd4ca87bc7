import { type KeyboardEvent, type MouseEvent, useRef } from 'react';

/** Which records are chosen, on this page of the list or another. */
export interface Choice {
  readonly chosen: ReadonlySet<string>;
  /** The rows on screen are not the list's any more: those of another filter or page are on the way. */
  readonly late?: boolean;
  onChoose(chosen: ReadonlySet<string>): void;
}

/**
 * Choosing rows by mouse and keys: a click with Shift chooses all rows from the last one on; the arrows lead from box to box, with Shift they
 * choose on the way, and Enter opens the record. `ids` are those of the rows on screen.
 */
export function useRowChoice(ids: readonly string[], choice: Choice | undefined) {
  const last = useRef<string | null>(null);
  const chosen = choice?.chosen ?? new Set<string>();
  const disabled = choice?.late === true;
  const here = ids.filter((id) => chosen.has(id)).length;

  const set = (changed: readonly string[], on: boolean) => {
    const next = new Set(chosen);
    for (const id of changed) {
      if (on) next.add(id);
      else next.delete(id);
    }
    choice?.onChoose(next);
  };
  const between = (from: string, to: string): readonly string[] => {
    const places = [ids.indexOf(from), ids.indexOf(to)].toSorted((a, b) => a - b);
    const [first = 0, end = 0] = places;
    return first < 0 ? [to] : ids.slice(first, end + 1);
  };

  return {
    ofAll: {
      disabled,
      checked: ids.length > 0 && here === ids.length,
      indeterminate: here > 0 && here < ids.length,
      onChange: () => set(ids, here < ids.length),
    },
    of: (id: string, checked: boolean) => ({
      disabled,
      checked,
      'data-row': id,
      // Everything happens on the click, which alone says whether Shift was held.
      onChange: () => undefined,
      onClick({ shiftKey }: MouseEvent) {
        set(shiftKey && last.current !== null ? between(last.current, id) : [id], !checked);
        last.current = id;
      },
    }),
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const { key, shiftKey, target, currentTarget } = event;
      if (!(target instanceof HTMLInputElement)) return;
      const from = target.dataset.row;
      if (from === undefined) return;
      if (key === 'Enter') target.closest('tr')?.querySelector<HTMLElement>('th [href]')?.click();
      if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
      event.preventDefault();
      const to = ids[ids.indexOf(from) + (key === 'ArrowDown' ? 1 : -1)];
      if (to === undefined) return;
      for (const box of currentTarget.querySelectorAll<HTMLInputElement>('input[data-row]')) if (box.dataset.row === to) box.focus();
      if (shiftKey) set([from, to], true);
      last.current = to;
    },
  };
}
