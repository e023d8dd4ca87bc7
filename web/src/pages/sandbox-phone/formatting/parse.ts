/** A piece of a message's text as a phone draws it. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: Mark; readonly inside: readonly Piece[] };

type Mark = 'bold' | 'italic' | 'strike' | 'mono';

const marks: Readonly<Record<string, Exclude<Mark, 'mono'>>> = { '*': 'bold', _: 'italic', '~': 'strike' };

const mono = /```([\s\S]+?)```/g;
const link = /https?:\/\/[^\s<>"]+/gi;
/** What ends a sentence or closes a mark, and no address. */
const notOfLink = /[.,;:!?'")\]}*_~]+$/;

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A text in its pieces: *bold*, _italic_, ~strike~, ```mono```, and web addresses. Marks without a partner stay as they are. */
export function parseFormatting(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { index, 0: whole, 1: inside = '' } of text.matchAll(mono)) {
    if (inside.trim() === '') continue;
    pieces.push(...parseMarks(text, { start: from, end: index }));
    pieces.push({ kind: 'mono', inside: [{ kind: 'text', text: inside }] });
    from = index + whole.length;
  }
  return [...pieces, ...parseMarks(text, { start: from, end: text.length })];
}

function parseMarks(text: string, { start, end }: Range): readonly Piece[] {
  const part = text.slice(start, end);
  return inRange(part, { start: 0, end: part.length }, linksIn(part), '');
}

function linksIn(text: string): ReadonlyMap<number, number> {
  const links = new Map<number, number>();
  for (const { index, 0: found } of text.matchAll(link)) {
    const url = found.replace(notOfLink, '');
    if (URL.canParse(url)) links.set(index, index + url.length);
  }
  return links;
}

/** `open` are the marks around this range, which do not open once more inside. `links` tells each link's end by its start. */
function inRange(text: string, { start, end }: Range, links: ReadonlyMap<number, number>, open: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let plainFrom = start;
  // Where no partner was found for a mark, up to the line's end: the next one before it has none either, and a long text is not searched again.
  const without = new Map<string, number>();
  const addPlain = (to: number) => {
    if (to > plainFrom) pieces.push({ kind: 'text', text: text.slice(plainFrom, to) });
  };
  let at = start;
  while (at < end) {
    const linkEnd = links.get(at);
    if (linkEnd !== undefined && linkEnd <= end) {
      addPlain(at);
      pieces.push({ kind: 'link', url: text.slice(at, linkEnd) });
      at = plainFrom = linkEnd;
      continue;
    }
    const sign = text.charAt(at);
    const mark = marks[sign];
    if (mark === undefined || open.includes(sign) || at < (without.get(sign) ?? 0) || !opensAt(text, at)) {
      at++;
      continue;
    }
    const close = closingOf(text, { start: at, end }, links);
    if (close === null) {
      const lineEnd = text.indexOf('\n', at);
      without.set(sign, lineEnd === -1 ? end : lineEnd);
      at++;
      continue;
    }
    addPlain(at);
    pieces.push({ kind: mark, inside: inRange(text, { start: at + 1, end: close }, links, open + sign) });
    at = plainFrom = close + 1;
  }
  addPlain(end);
  return pieces;
}

/** Whether a mark stands before a word and not inside one. */
function opensAt(text: string, at: number): boolean {
  return !isWord(text.charAt(at - 1)) && /\S/.test(text.charAt(at + 1));
}

/** Where the mark at the range's start closes, in the same line; null when it has no partner. */
function closingOf(text: string, { start, end }: Range, links: ReadonlyMap<number, number>): number | null {
  const sign = text.charAt(start);
  let at = start + 1;
  while (at < end) {
    const inLink = links.get(at);
    if (inLink !== undefined) {
      at = inLink;
      continue;
    }
    const here = text.charAt(at);
    if (here === '\n') return null;
    if (here === sign && at > start + 1 && !/\s/.test(text.charAt(at - 1)) && !isWord(text.charAt(at + 1))) return at;
    at++;
  }
  return null;
}

function isWord(character: string): boolean {
  return /^[\p{L}\p{N}]$/u.test(character);
}
