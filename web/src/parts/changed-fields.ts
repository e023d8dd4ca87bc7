/** The fields that differ from those before. A request with only these keeps what others changed meanwhile. */
export function changedFields<Fields extends object>(fields: Fields, before: Fields): Partial<Fields> {
  const known = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(known.get(name))),
  ) as Partial<Fields>;
}

/** The values that the fields of a change had before, which take it back. */
export function fieldsBefore<Fields extends object>(change: object, before: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(before).filter(([name]) => name in change)) as Partial<Fields>;
}
