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
    const close = mark === undefined || open.includes(sign) ? null : closingOf(text, { start: at, end }, links);
    if (mark === undefined || close === null) {
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

/** Where the mark that opens at the range's start closes, in the same line; null when it opens nothing. */
function closingOf(text: string, { start, end }: Range, links: ReadonlyMap<number, number>): number | null {
  const sign = text.charAt(start);
  if (isWord(text.charAt(start - 1)) || /^[\s]?$/.test(text.charAt(start + 1))) return null;
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
