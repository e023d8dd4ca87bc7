/** A message's content, as the server stored it. */
export type Fields = Readonly<Record<string, unknown>>;

// The server checked it when it was sent. It is checked again here, because the message may be older than this version of the page.

/** The value if it is a text that is not empty, else null. */
export function textIn(fields: Fields, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The value if it is a number, else null. */
export function numberIn(fields: Fields, name: string): number | null {
  const value = fields[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The texts of a list. */
export function textsIn(fields: Fields, name: string): readonly string[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

/** The parts of a list. */
export function partsIn(fields: Fields, name: string): readonly Fields[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter((one): one is Fields => typeof one === 'object' && one !== null) : [];
}
