import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Places in source files, which Node runs without their types but with every character at its place. */
export class Sources {
  readonly #texts = new Map<string, string>();

  length(url: string): number {
    return this.#text(url).length;
  }

  isClass(url: string, offset: number): boolean {
    return this.#text(url).startsWith('class', offset);
  }

  /** Line and column, both counted from 0. */
  position(url: string, offset: number): { readonly lineNumber: number; readonly columnNumber: number } {
    const before = this.#text(url).slice(0, offset);
    return { lineNumber: before.split('\n').length - 1, columnNumber: offset - (before.lastIndexOf('\n') + 1) };
  }

  #text(url: string): string {
    const text = this.#texts.get(url) ?? readFileSync(fileURLToPath(url), 'utf8');
    this.#texts.set(url, text);
    return text;
  }
}
