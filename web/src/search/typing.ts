/** What counts of a pressed key. */
interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** What a key does to a text that is being typed; null: nothing, it is meant for something else. */
export function typing({ key, ctrlKey, metaKey, altKey }: Key): ((text: string) => string) | null {
  // Ctrl and Alt together is how some systems report AltGr.
  if (metaKey || ctrlKey !== altKey) return null;
  if ([...key].length === 1) return (text) => text + key;
  if (key === 'Backspace') return (text) => [...text].slice(0, -1).join('');
  // Behind the field that is still to come it would press a button.
  return key === 'Enter' ? (text) => text : null;
}
