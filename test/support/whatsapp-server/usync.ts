import type { BinaryNode } from 'baileys';
import type { Account } from './account.ts';
import type { Directory } from './directory.ts';
import { lidJid, numberJid } from './jids.ts';
import { bytes, child, children, nowSeconds } from './nodes.ts';

interface Asked {
  /** Whom the question names; null when it names nobody the network could know. */
  readonly account: Account | null;
  /** The address or `+number` as it was asked. */
  readonly as: string;
  readonly byPhone: boolean;
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

/** The content of the answer: per user the protocols asked for. */
export function usyncAnswer(directory: Directory, query: BinaryNode, asked: readonly Asked[]): BinaryNode[] {
  const usync = child(query, 'usync');
  const protocols = children(child(usync, 'query')).map((protocol) => protocol.tag);
  const list = asked.map((one) => userNode(directory, one, protocols));
  const result = { tag: 'result', attrs: {}, content: protocols.map((tag) => ({ tag, attrs: {} })) };
  return [{ tag: 'usync', attrs: { ...usync?.attrs }, content: [result, { tag: 'list', attrs: {}, content: list }] }];
}

function userNode(directory: Directory, asked: Asked, protocols: readonly string[]): BinaryNode {
  const { account, as, byPhone } = asked;
  // Only the question "is this number on the network" is answered with a rewritten number; devices belong to the true one.
  const answering = account?.answersAs && byPhone ? directory.account(account.answersAs) : account;
  const there = answering?.onNetwork === true && !(account?.answersAs && !byPhone);
  const content: BinaryNode[] = [];
  for (const protocol of protocols) {
    if (protocol === 'contact') content.push({ tag: 'contact', attrs: { type: there ? 'in' : 'out' }, content: Buffer.from(as) });
    if (protocol === 'devices') content.push(devicesNode(there ? answering : null));
    if (protocol === 'lid' && there) content.push({ tag: 'lid', attrs: { val: lidJid(answering.lid) } });
  }
  return { tag: 'user', attrs: { jid: byPhone ? numberJid(answering?.number ?? as.replace(/^\+/, '')) : as }, content };
}

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
