/** The list cut into so many parts of about the same length, in their order. */
export function parts<T>(list: readonly T[], count: number): readonly (readonly T[])[] {
  const start = (place: number) => Math.floor((place * list.length) / count);
  return Array.from({ length: count }, (_, place) => list.slice(start(place), start(place + 1)));
}
