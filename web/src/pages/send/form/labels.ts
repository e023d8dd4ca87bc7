const capitals = new Set(['id', 'url', 'mime']);

/** A field's name as people read it: "row_id" → "Row ID", "thumbsUp" → "Thumbs up". */
export function labelOf(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[_\s]+/)
    .map((word) => (capitals.has(word) ? word.toUpperCase() : word))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** One of what a list is named after: "contacts" → "contact". */
export function singular(name: string): string {
  return labelOf(name).replace(/s$/, '').toLowerCase();
}

/** How many characters the server counts: code points. */
export function characters(text: string): number {
  return Array.from(text).length;
}
