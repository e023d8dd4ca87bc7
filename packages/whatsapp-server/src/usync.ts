import type { BinaryNode } from 'baileys';
import type { Account } from './account.ts';
import type { Directory } from './directory.ts';
import { lidJid, numberJid, parseJid } from './jids.ts';
import { bytes, child, children, nowSeconds } from './nodes.ts';
import type { Strictness } from './strictness.ts';

interface Asked {
  /** The account that the query names; null when the network cannot know it. */
  readonly account: Account | null;
  /** The address or `+number` as it was requested. */
  readonly as: string;
  readonly byPhone: boolean;
}

interface UsyncContext {
  readonly directory: Directory;
  readonly strictness: Strictness;
  /** Whether each list of devices is replaced by an error. */
  readonly withoutDevices: boolean;
}

/** The users a usync query asks about. */
export function askedUsers(directory: Directory, query: BinaryNode): Asked[] {
  return children(child(child(query, 'usync'), 'list'), 'user').map((user) => {
    const { jid } = user.attrs;
    if (jid !== undefined) return { account: directory.byJid(jid), as: jid, byPhone: false };
    const phone = bytes(child(user, 'contact'))?.toString() ?? '';
    return { account: directory.byJid(numberJid(phone.replace(/^\+/, ''))), as: phone, byPhone: true };
  });
}

/** The content of the answer to a device of `asker`: for each user the requested protocols. */
export function usyncAnswer(context: UsyncContext, asker: Account, query: BinaryNode, asked: readonly Asked[]): BinaryNode[] {
  const usync = child(query, 'usync');
  const protocols = children(child(usync, 'query'));
  const byLid = protocols.some(({ tag, attrs }) => tag === 'contact' && attrs.addressing_mode === 'lid');
  const tags = protocols.map(({ tag }) => tag);
  const list = asked.map((one) => userNode(context, asker, one, tags, byLid));
  const result = { tag: 'result', attrs: {}, content: tags.map((tag) => ({ tag, attrs: {} })) };
  return [{ tag: 'usync', attrs: { ...usync?.attrs }, content: [result, { tag: 'list', attrs: {}, content: list }] }];
}

function userNode(context: UsyncContext, asker: Account, asked: Asked, protocols: readonly string[], byLid: boolean): BinaryNode {
  const { account, as, byPhone } = asked;
  // Only the query whether a number is on the network is answered with another number; devices belong to the true one.
  const answering = account?.answersAs && byPhone ? context.directory.account(account.answersAs) : account;
  const there = answering?.onNetwork === true && !(account?.answersAs && !byPhone);
  const content: BinaryNode[] = [];
  for (const protocol of protocols) {
    if (protocol === 'contact') content.push({ tag: 'contact', attrs: { type: there ? 'in' : 'out' }, content: Buffer.from(as) });
    if (protocol === 'devices' && (!byPhone || context.strictness.devicesByNumber)) {
      const listed = there && (byPhone || mayNameDevices(asker, answering, as)) ? answering : null;
      content.push(context.withoutDevices ? devicesError : devicesNode(listed));
    }
    if (protocol === 'lid' && there && answering.hasLid) content.push({ tag: 'lid', attrs: { val: lidJid(answering.lid) } });
  }
  if (!byPhone) return { tag: 'user', attrs: { jid: as }, content };
  return { tag: 'user', attrs: byLid ? lidAttrs(there ? answering : null) : numberAttrs(answering, as), content };
}

/** A migrated account learns its contacts' devices only when it asks by LID (Baileys issue 2794), if they have one. */
function mayNameDevices(asker: Account, contact: Account, as: string): boolean {
  return parseJid(as)?.server === 'lid' || !asker.migrated || !contact.hasLid;
}

/** The attributes for `addressing_mode="lid"`. Someone who is not on the network has no address (whatsmeow user.go). */
function lidAttrs(account: Account | null): Record<string, string> {
  if (account === null) return {};
  return account.hasLid ? { jid: lidJid(account.lid), pn_jid: numberJid(account.number) } : { jid: numberJid(account.number) };
}

function numberAttrs(account: Account | null, as: string): Record<string, string> {
  return { jid: numberJid(account?.number ?? as.replace(/^\+/, '')) };
}

const devicesError: BinaryNode = {
  tag: 'devices',
  attrs: {},
  content: [{ tag: 'error', attrs: { code: '429', text: 'rate-overlimit' } }],
};

function devicesNode(account: Account | null): BinaryNode {
  const devices = (account?.devices ?? []).map(({ id, keyIndex }) => ({
    tag: 'device',
    attrs: id === 0 ? { id: '0' } : { id: String(id), 'key-index': String(keyIndex) },
  }));
  return {
    tag: 'devices',
    attrs: {},
    content: [
      { tag: 'device-list', attrs: { hash: '2:test' }, content: devices },
      { tag: 'key-index-list', attrs: { ts: nowSeconds() } },
    ],
  };
}
