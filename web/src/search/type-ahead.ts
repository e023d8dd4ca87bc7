import { typing } from './typing.ts';

interface TypeAhead {
  /** The field is there and has the focus. */
  ready(): boolean;
  onType(change: (text: string) => string): void;
}

/** Passes on what is typed until its field is ready, or something else is done. Returns what ends it. */
export function typeAhead({ ready, onType }: TypeAhead): () => void {
  const end = () => {
    removeEventListener('keydown', press, true);
    removeEventListener('pointerdown', end, true);
  };
  const press = (event: KeyboardEvent) => {
    if (ready() || event.key === 'Escape' || event.key === 'Tab') return end();
    const change = typing(event);
    if (change === null) return;
    event.preventDefault();
    event.stopPropagation();
    onType(change);
  };
  addEventListener('keydown', press, true);
  addEventListener('pointerdown', end, true);
  return end;
}
