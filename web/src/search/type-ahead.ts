type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** What a key does to a text that is being typed; null: nothing, it is meant for something else. */
export function typing({ key, ctrlKey, metaKey, altKey }: Key): ((text: string) => string) | null {
  // Ctrl and Alt together is how some systems report AltGr.
  if (metaKey || ctrlKey !== altKey) return null;
  if ([...key].length === 1) return (text) => text + key;
  if (key === 'Backspace') return (text) => [...text].slice(0, -1).join('');
  // Behind the field that is still to come it would press a button.
  return key === 'Enter' ? (text) => text : null;
}

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
