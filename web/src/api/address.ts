/** The names of the parts of a path that vary: `id` of `/keys/:id`. */
export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** What stands behind the question mark; what is empty or missing is left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** An address of the server. */
export function addressOf<Path extends string>(path: Path, params: Readonly<Record<ParamsOf<Path>, string>>, query: Query = {}): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent((params as Readonly<Record<string, string>>)[name] ?? ''),
  );
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') asked.set(name, String(value));
  return asked.size === 0 ? filled : `${filled}?${asked}`;
}
