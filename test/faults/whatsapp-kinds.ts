import type { Seeded } from './seeded.ts';

/** A send's type and own fields; `mark` is text that its recipient must find in it, null for a kind that has no text of its own. */
export interface MarkedContent {
  readonly type: string;
  readonly fields: object;
  readonly mark: string | null;
}

/** Links to files of each media kind that a mix may use. */
export type MediaLinks = Readonly<Record<'image' | 'video' | 'audio' | 'document' | 'sticker', readonly string[]>>;

type Make = (mark: string) => Omit<MarkedContent, 'mark'>;

/** Every kind without a file, each with the mark where its text goes. */
const plain: readonly Make[] = [
  (mark) => ({ type: 'location', fields: { latitude: 52.5, longitude: 13.4, name: mark } }),
  (mark) => ({ type: 'contact', fields: { contacts: [{ full_name: mark, phone_number: '+49 170 1234567' }] } }),
  (mark) => ({ type: 'poll', fields: { question: mark, options: ['yes', 'no'] } }),
  (mark) => ({ type: 'reaction', fields: { message_id: mark, emoji: '👍' } }),
  (mark) => ({ type: 'buttons', fields: { title: mark, buttons: [{ type: 'reply', text: 'A', id: 'a' }] } }),
  (mark) => ({
    type: 'list',
    fields: { title: mark, button_text: 'Open', sections: [{ title: 'S', rows: [{ title: 'R', row_id: 'r' }] }] },
  }),
];

/** A send such as customers make: mostly text, some of every other kind, some files when there are links. */
export function mixedContent(random: Seeded, mark: string, media: MediaLinks | null): MarkedContent {
  if (media !== null && random.chance(0.08)) return fileContent(random, mark, media);
  if (random.chance(0.25)) return { ...random.pick(plain)(mark), mark };
  return { type: 'text', fields: { text: mark }, mark };
}

/** One send of each kind without a file. */
export function everyPlainKind(mark: (type: string) => string): MarkedContent[] {
  const kinds: readonly Make[] = [(text) => ({ type: 'text', fields: { text } }), ...plain];
  return kinds.map((make) => {
    const { type } = make('');
    return { ...make(mark(type)), mark: mark(type) };
  });
}

/** One send of each media kind, of the first of its links. */
export function everyMediaKind(mark: (type: string) => string, media: MediaLinks): MarkedContent[] {
  return Object.entries(media).flatMap(([type, [url]]) => (url === undefined ? [] : [ofFile(type, url, mark(type))]));
}

function fileContent(random: Seeded, mark: string, media: MediaLinks): MarkedContent {
  const [type, links] = random.pick(Object.entries(media).filter(([, offered]) => offered.length > 0));
  return ofFile(type, random.pick(links), mark);
}

function ofFile(type: string, url: string, mark: string): MarkedContent {
  switch (type) {
    case 'image':
    case 'video':
      return { type, fields: { url, caption: mark }, mark };
    case 'document':
      return { type, fields: { url, filename: `${mark}.pdf`, caption: mark }, mark };
    default:
      return { type, fields: { url }, mark: null };
  }
}
