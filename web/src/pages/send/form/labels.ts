const capitals = new Set(['id', 'url', 'mime']);

/** A field's name for people: "row_id" → "Row ID", "thumbsUp" → "Thumbs up". */
export function labelOf(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[_\s]+/)
    .map((word) => (capitals.has(word) ? word.toUpperCase() : word))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The singular of a list's name: "contacts" → "contact". */
export function singular(name: string): string {
  return labelOf(name).replace(/s$/, '').toLowerCase();
}

/** The length as the server counts it, in code points. */
export function characters(text: string): number {
  return Array.from(text).length;
}
