import { randomBytes } from 'node:crypto';
import type { BinaryNode } from 'baileys';
import { nowSeconds } from './nodes.ts';

const friend = '4915190000001';
const group = '120363041234567890@g.us';

/** Stanzas that the linked devices of a busy account get besides its messages, used in turn. */
const kinds: readonly ((id: string) => BinaryNode)[] = [
  (id) => ({
    tag: 'message',
    attrs: { id, from: group, participant: `${friend}@s.whatsapp.net`, type: 'text', t: nowSeconds() },
    content: [{ tag: 'enc', attrs: { v: '2', type: 'skmsg' }, content: randomBytes(120) }],
  }),
  (id) => ({
    tag: 'message',
    attrs: { id, from: 'status@broadcast', participant: `${friend}@s.whatsapp.net`, type: 'media', t: nowSeconds() },
    content: [{ tag: 'enc', attrs: { v: '2', type: 'skmsg' }, content: randomBytes(120) }],
  }),
  (id) => ({ tag: 'receipt', attrs: { id, from: group, participant: `${friend}@s.whatsapp.net`, type: 'read', t: nowSeconds() } }),
  (id) => ({
    tag: 'call',
    attrs: { id, from: `${friend}@s.whatsapp.net`, t: nowSeconds() },
    content: [{ tag: 'offer', attrs: { 'call-id': id, 'call-creator': `${friend}@s.whatsapp.net` } }],
  }),
  (id) => ({ tag: 'notification', attrs: { id, from: group, type: 'picture', t: nowSeconds() }, content: [{ tag: 'set', attrs: { id } }] }),
];

/** This many stanzas of an account with groups, broadcasts and calls. */
export function busyStanzas(count: number): BinaryNode[] {
  return Array.from({ length: count }, (_, place) => {
    const make = kinds[place % kinds.length];
    if (make === undefined) throw new Error('unreachable');
    return make(`B${randomBytes(8).toString('hex').toUpperCase()}`);
  });
}
