import { type BinaryNode, Curve } from 'baileys';
import { issuedTo } from './contact-tokens.ts';
import type { Directory } from './directory.ts';
import type { FaultBoard } from './fault-board.ts';
import { inlineHistory } from './history.ts';
import { parseJid } from './jids.ts';
import { bundleNode, type KeyBundle } from './key-bundle.ts';
import type { LinkedDevice } from './linked-device.ts';
import type { MediaStore } from './media-store.ts';
import { child, children, errorOf, resultOf } from './nodes.ts';
import { answerMex } from './reach-out.ts';
import type { Recorder } from './recorder.ts';
import { nameCollection, saltCollection } from './settings.ts';
import type { Strictness } from './strictness.ts';
import { askedUsers, usyncAnswer } from './usync.ts';

export interface QueryContext {
  readonly directory: Directory;
  readonly faults: FaultBoard;
  readonly record: Recorder;
  readonly strictness: Strictness;
  readonly media: MediaStore;
  /** `host:port` of the media server. */
  readonly mediaHost: string;
  /** The device asks to be unlinked. */
  readonly onLogout: (device: LinkedDevice, query: BinaryNode) => void;
}

/** Answers the queries of a logged-in device. Those whose answer is not needed get an empty result. */
export async function answerQuery(context: QueryContext, device: LinkedDevice, query: BinaryNode): Promise<void> {
  const answer = await answerTo(context, device, query);
  if (answer) device.send(answer);
}

async function answerTo(context: QueryContext, device: LinkedDevice, query: BinaryNode): Promise<BinaryNode | null> {
  switch (query.attrs.xmlns) {
    case 'encrypt':
      return query.attrs.type === 'set' ? acceptKeys(context, device, query) : await answerKeys(context, device, query);
    case 'usync':
      return answerUsync(context, device, query);
    case 'privacy':
      for (const to of issuedTo(query) ?? []) context.record.issued(device.account.number, to);
      return resultOf(query);
    case 'w:m':
      if (context.faults.areMediaServersRefused()) return errorOf(query, 503, 'service-unavailable');
      return resultOf(query, [mediaNode(context)]);
    case 'w:sync:app:state':
      return await answerSettings(context, device, query);
    case 'w:mex':
      return answerMex(device.account, query);
    case 'md':
      if (child(query, 'remove-companion-device')) {
        context.onLogout(device, query);
        return null;
      }
      return errorOf(query, 400, 'bad-request');
    default:
      return resultOf(query);
  }
}

function acceptKeys(context: QueryContext, device: LinkedDevice, query: BinaryNode): BinaryNode | null {
  const rotation = child(query, 'rotate');
  if (rotation) return rotateKey(context, device, query, child(rotation, 'skey'));
  const { strictness, record } = context;
  const first = !device.keys.complete;
  device.keys.upload(query);
  record.keysUploaded(device.account.number);
  // Now the phone can write to its companion.
  if (first && strictness.contactTokens) {
    const { phone, tokens } = device.account;
    const handed = tokens.salt === null ? null : phone.handOver(device, inlineHistory({ salt: tokens.salt }));
    handed?.catch((error: unknown) => record.problem(`a phone could not hand over its history: ${error}`));
  }
  return resultOf(query);
}

/** 406: not signed by the device. 409: another key under the id that is in use (whatsapp-rust rotate_key.rs names the codes). */
function rotateKey({ faults, record }: QueryContext, device: LinkedDevice, query: BinaryNode, key: BinaryNode | undefined) {
  const { number } = device.account;
  const fault = faults.forRotation(number);
  if (fault === 'cut_before') {
    device.cut();
    return null;
  }
  if (typeof fault === 'number') {
    record.rotation({ number, keyId: null, refusal: fault });
    return errorOf(query, fault, 'refused');
  }
  const refusal = device.keys.rotate(key);
  const code = refusal === null ? null : refusal === 'bad_key' ? 406 : 409;
  record.rotation({ number, keyId: device.keys.signedPreKey?.id ?? null, refusal: code });
  if (fault === 'cut_after') {
    device.cut();
    return null;
  }
  return code === null ? resultOf(query) : errorOf(query, code, refusal ?? '');
}

async function answerKeys(context: QueryContext, device: LinkedDevice, query: BinaryNode): Promise<BinaryNode> {
  if (child(query, 'count')) return resultOf(query, [{ tag: 'count', attrs: { value: String(device.keys.count) } }]);
  if (child(query, 'digest')) {
    return device.keys.complete ? resultOf(query, [{ tag: 'digest', attrs: {} }]) : errorOf(query, 404, 'item-not-found');
  }
  const asked = children(child(query, 'key'), 'user').map(({ attrs }) => attrs.jid ?? '');
  const list = await Promise.all(asked.map((jid) => bundleFor(context, jid)));
  return resultOf(query, [{ tag: 'list', attrs: {}, content: list }]);
}

async function bundleFor({ directory, faults }: QueryContext, jid: string): Promise<BinaryNode> {
  const device = directory.byJid(jid)?.device(parseJid(jid)?.device ?? 0);
  const bundle = device?.account.hasKeys === false ? null : await device?.takeBundle();
  if (device && bundle) return bundleNode(jid, faults.areKeysForged(device.account.number, device.id) ? forged(bundle) : bundle);
  return { tag: 'user', attrs: { jid }, content: [{ tag: 'error', attrs: { code: '404', text: 'item-not-found' } }] };
}

/** The bundle with a key that its owner has not signed. */
function forged(bundle: KeyBundle): KeyBundle {
  return { ...bundle, signed: { ...bundle.signed, key: Buffer.from(Curve.generateKeyPair().public) } };
}

function answerUsync(context: QueryContext, device: LinkedDevice, query: BinaryNode): BinaryNode | null {
  const { directory, faults, record } = context;
  const asked = askedUsers(directory, query);
  const protocols = children(child(child(query, 'usync'), 'query')).map(({ tag }) => tag);
  record.question({ from: device.account.number, protocols, users: asked.map(({ as }) => as) });
  if (protocols.length === 1 && protocols[0] === 'lid') for (const { account } of asked) if (account) record.lidAsked(account.number);
  const fault = faults.forUsync(asked.flatMap(({ account }) => (account ? [account.number] : [])));
  switch (fault) {
    case null:
    case 'device_error':
      return resultOf(query, usyncAnswer({ ...context, withoutDevices: fault !== null }, device.account, query, asked));
    case 'error':
      return errorOf(query, 500, 'internal-server-error');
    case 'silence':
      return null;
    case 'drop':
      device.cut();
      return null;
  }
}

function mediaNode({ mediaHost, media }: QueryContext): BinaryNode {
  const host = { tag: 'host', attrs: { hostname: mediaHost, type: 'primary', maxContentLengthBytes: String(2 ** 31) } };
  return { tag: 'media_conn', attrs: { auth: media.auth, ttl: '3600', auth_ttl: '21600', max_buckets: '12', id: '1' }, content: [host] };
}

/** Every requested collection, most of them empty. Without an entry for it, the library as a client would ask forever. */
async function answerSettings({ faults, media }: QueryContext, { account }: LinkedDevice, query: BinaryNode): Promise<BinaryNode | null> {
  const asked = children(child(query, 'sync'), 'collection').map(({ attrs }) => attrs);
  const isAsked = (collection: string) => asked.some(({ name }) => name === collection);
  if (isAsked(saltCollection) && faults.areSettingsRefused(account.number)) return errorOf(query, 500, 'internal-server-error');
  if (isAsked(nameCollection) && faults.isNameSilenced(account.number)) return null;
  const content = asked.map(async (attrs): Promise<BinaryNode> => {
    const { name = '', version = '0' } = attrs;
    if (account.settings !== null && (name === saltCollection || name === nameCollection))
      return account.settings[name].answer(attrs, media);
    return { tag: 'collection', attrs: { name, version, has_more_patches: 'false', type: 'result' } };
  });
  return resultOf(query, [{ tag: 'sync', attrs: {}, content: await Promise.all(content) }]);
}
