import { randomBytes } from 'node:crypto';
import { type BinaryNode, buildAckStanza, Curve, proto } from 'baileys';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Person } from '../src/index.ts';
import { type Client, type Credentials, newCredentials } from './client.ts';
import { createManualClock } from './manual-clock.ts';
import * as companion from './passkey-companion.ts';
import { createWorld } from './world.ts';

/** What a device does wrong in the ceremony. */
interface Mistakes {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly signer?: Person;
  readonly ref?: string;
  readonly deviceType?: number;
  readonly proofOf?: Buffer;
  readonly nonce?: Buffer;
  readonly key?: Buffer;
  readonly noiseKey?: Buffer;
  readonly advSecret?: Buffer;
}

describe('a server that asks for a passkey', () => {
  const clock = createManualClock();
  const world = createWorld({ clock });
  let credentials: Credentials;
  let client: Client;
  let phone: Person;
  let scanned: Buffer;
  let request: { challenge: string; rpId: string; timeout: number };
  let continued: Promise<BinaryNode>;
  const problem = () => world.server.record.problems.at(-1);
  const next = (type: string) =>
    new Promise<BinaryNode>((resolve) =>
      client.sock.ws.once(`CB:notification,type:${type}`, (node: BinaryNode) => {
        void client.sock.sendNode(buildAckStanza(node));
        resolve(node);
      }),
    );
  const md = (type: string, content: BinaryNode): Promise<BinaryNode> =>
    client.sock.query({ tag: 'iq', attrs: { to: 's.whatsapp.net', type, xmlns: 'md' }, content: [content] });
  const bytes = (tag: string, content: Uint8Array): BinaryNode => ({ tag, attrs: {}, content });
  const partOf = (node: BinaryNode, tag: string) =>
    Buffer.from((node.content as BinaryNode[]).find((child) => child.tag === tag)?.content as Uint8Array);

  beforeEach(async () => {
    world.server.faults.askPasskey(true);
    credentials = newCredentials();
    client = world.connect(credentials);
    phone = world.server.person(world.number());
    scanned = Buffer.from(credentials.creds.advSecretKey, 'base64');
    const asked = next('passkey_prologue_request');
    await expect(phone.scan(await client.qr())).rejects.toThrow('passkey');
    request = JSON.parse(partOf(await asked, 'passkey_request_options').toString());
    continued = next('crsc_continuation');
  });

  /** Goes through the whole ceremony, with these mistakes; rejects where the network refuses. */
  async function link(mistakes: Mistakes = {}): Promise<void> {
    const ref = partOf(await md('get', { tag: 'ref', attrs: {} }), 'ref').toString();
    const [pair, nonce] = [Curve.generateKeyPair(), randomBytes(32)];
    const deviceType = mistakes.deviceType ?? proto.DeviceProps.PlatformType.CHROME;
    const prologue = companion.prologueOf({ publicKey: pair.public, deviceType, ref: mistakes.ref ?? ref }, nonce);
    const credential = (mistakes.signer ?? phone).authenticator.sign(request, mistakes);
    await md('set', {
      tag: 'passkey_prologue',
      attrs: {},
      content: [
        bytes('credential_id', Buffer.from(credential.rawId, 'base64url')),
        bytes('webauthn_assertion', Buffer.from(JSON.stringify(credential))),
        bytes('prologue_payload', prologue),
        bytes('pairing_handoff_proof', companion.proofOf(mistakes.proofOf ?? scanned, prologue)),
      ],
    });
    const primary = proto.PrimaryEphemeralIdentity.decode(partOf(await continued, 'primary_ephemeral_identity'));
    await md('set', bytes('companion_nonce', mistakes.nonce ?? nonce));
    const shared = Curve.sharedKey(pair.private, primary.publicKey ?? Buffer.of());
    const advSecret = mistakes.advSecret ?? randomBytes(32);
    credentials.creds.advSecretKey = advSecret.toString('base64');
    const { noiseKey, signedIdentityKey } = credentials.creds;
    const keys = { companionPublicKey: mistakes.noiseKey ?? noiseKey.public, companionIdentityKey: signedIdentityKey.public };
    const key = mistakes.key ?? companion.sealingKey(shared, deviceType, ref);
    await md('set', bytes('encrypted_pairing_request', companion.sealed(key, randomBytes(12), { ...keys, advSecret })));
  }

  it('links who does everything right', async () => {
    const before = world.server.record.problems.length;
    await link();
    expect((await client.closed()).code).toBe(515);
    await world.connect(credentials).opened();
    await phone.ceremony.linked;
    expect(world.server.record.problems.slice(before)).toEqual([]);
  });

  it.each<[string, () => Mistakes, string]>([
    ['a passkey used on another page', () => ({ origin: 'https://portal.example' }), 'another page'],
    ['a passkey of another site', () => ({ rpId: 'example.com' }), 'another site'],
    ['an answer to another challenge', () => ({ challenge: 'AAAA' }), 'the challenge is another'],
    ["somebody else's passkey", () => ({ signer: world.server.person(world.number()) }), 'not of this account'],
    ['another reference', () => ({ ref: '3@another' }), 'the reference of the device is another'],
    ['another platform than it registered', () => ({ deviceType: 3 }), 'another platform'],
    ['a proof from a secret that was replaced twice', () => ({ proofOf: randomBytes(32) }), 'the proof is wrong'],
    ['a nonce that was not committed to', () => ({ nonce: randomBytes(32) }), 'not the one that was committed to'],
    ['a request sealed with another key', () => ({ key: randomBytes(32) }), 'linking with a passkey'],
    ["another device's key", () => ({ noiseKey: randomBytes(32) }), 'the Noise key is of another device'],
    ['the secret that was scanned', () => ({ advSecret: scanned }), 'the secret was not replaced'],
  ])('refuses %s with 400, and notes it', async (_, mistakes, words) => {
    const refused = await link(mistakes()).catch((error: unknown) => error);
    expect(refused).toMatchObject({ data: 400 });
    expect(problem()).toContain(words);
    expect(world.server.record.linked()).not.toContain(phone.number);
  });

  it('takes a proof for five minutes, and a passkey for ten', async () => {
    await clock.advance(300_000);
    await expect(link()).rejects.toMatchObject({ data: 400 });
    expect(problem()).toContain('the proof has run out');
    await clock.advance(300_000);
    await expect(link()).rejects.toMatchObject({ data: 400 });
    expect(problem()).toContain('the request for the passkey has run out');
  });
});
