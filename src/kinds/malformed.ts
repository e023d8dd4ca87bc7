import { errorLimit } from './issues.ts';

/** Far more levels than anybody means, and far fewer than a program has stack for. */
export const deepestNesting = 100;

/** A part of a parsed body or query that is no text, or whose lists and objects are nested too deeply. */
export interface MalformedPart {
  /** Of what is too deep only the first step: the whole path would be as long as the body. */
  readonly path: PropertyKey[];
  readonly problem: 'text' | 'depth';
}

/** The malformed parts, as many as an answer names. `accepts` says of a string whether it is text. */
export function malformedParts(value: unknown, accepts: (text: string) => boolean): readonly MalformedPart[] {
  const found: MalformedPart[] = [];
  search(value, [], accepts, found);
  return found;
}

/** Calls itself for each level, so the bound on their number keeps a hostile body from using up the stack. */
function search(value: unknown, path: PropertyKey[], accepts: (text: string) => boolean, found: MalformedPart[]): void {
  if (typeof value === 'string') {
    if (!accepts(value)) found.push({ path: [...path], problem: 'text' });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (path.length === deepestNesting) {
    found.push({ path: path.slice(0, 1), problem: 'depth' });
    return;
  }
  for (const name in value) {
    const part = (value as Readonly<Record<string, unknown>>)[name];
    // Almost every field ends here, so it comes first and makes nothing.
    if (typeof part === 'string' ? accepts(part) : typeof part !== 'object') continue;
    path.push(Array.isArray(value) ? Number(name) : name);
    search(part, path, accepts, found);
    path.pop();
    if (found.length === errorLimit) return;
  }
}
