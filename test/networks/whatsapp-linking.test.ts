import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { AuthenticationCreds } from 'baileys';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { OperatorError, StoreUnavailable } from '../../src/core/index.ts';
import { LinkEnded } from '../../src/networks/index.ts';
import { createWhatsAppNetwork } from '../../src/networks/whatsapp/whatsapp-network.ts';
import { decodeRecord } from '../../src/networks/whatsapp/worker/library/record-encoding.ts';
import { accountFacts } from '../../src/networks/whatsapp/worker/sending/account-facts.ts';
import { waitFor } from '../support/wait-for.ts';
import { openLink, pairedLink } from './fixture.ts';
import type { MemoryCredentials } from './memory-credentials.ts';
import { createMediaFiles, textMessage } from './outgoing.ts';
import { memoryVersions, setupWhatsApp, type WhatsAppFixture } from './whatsapp-fixture.ts';

let fixture: WhatsAppFixture;
let numbers = 0;

beforeAll(async () => {
  // No acknowledgement is lost here, and a machine may be slow.
  fixture = await setupWhatsApp({ timing: { acknowledgementMs: 20_000 } });
});
afterAll(async () => {
  await fixture.network.close();
  await fixture.close();
});

/** A number that no other test uses. */
function newNumber(): string {
  return `4915${String(++numbers).padStart(9, '0')}`;
}

async function linked(number = newNumber()) {
  const opened = await pairedLink(fixture, number);
  onTestFinished(() => opened.link.close());
  return { ...opened, number };
}

/** Logs in with these credentials again. */
function again(opened: { instanceId: string; credentials: MemoryCredentials }) {
  const reopened = openLink(fixture, opened);
  onTestFinished(() => reopened.link.close());
  return reopened;
}

describe('pairing', () => {
  test('a phone links with a typed code', async () => {
    const number = newNumber();
    const { link, log, credentials } = openLink(fixture);
    await log.next('code');
    const code = await link.requestPairingCode(number);
    expect(code).toMatch(/^[A-Z0-9]{8}$/);
    expect(credentials.records.size).toBe(0);
    await fixture.server.person(number).enterPairingCode(code ?? '');
    expect(await log.next('open')).toEqual({ type: 'open', phoneNumber: number });
    await link.close();
  });

  test('a code that was asked for and never typed leaves nothing behind', async () => {
    const { link, log, credentials, instanceId } = openLink(fixture);
    await log.next('code');
    await link.requestPairingCode(newNumber());
    await link.close();
    expect(credentials.records.size).toBe(0);
    const next = openLink(fixture, { instanceId, credentials });
    await next.log.next('code');
    await next.link.close();
  });

  test('each attempt shows other codes', async () => {
    const first = openLink(fixture);
    const one = await first.log.next('code');
    await first.link.close();
    const second = openLink(fixture, first);
    const two = await second.log.next('code');
    await second.link.close();
    expect(two.code).not.toBe(one.code);
    await expect(fixture.scan(one.code, newNumber())).rejects.toThrow();
  });

  test('an earlier attempt of the instance that ends late leaves its uploads to the link', async () => {
    const earlier = openLink(fixture);
    await earlier.log.next('code');
    const { link, log } = openLink(fixture, { instanceId: earlier.instanceId });
    onTestFinished(() => link.close());
    const { code } = await log.next('code');
    await fixture.scan(code, newNumber());
    await log.next('open');
    await earlier.link.close();
    const files = await createMediaFiles();
    onTestFinished(() => files.remove());
    const media = await files.file('image');
    const picture = { ...textMessage(fixture.network, newNumber()), type: 'image', content: {}, media } as const;
    expect(await link.send(picture)).toMatchObject({ outcome: 'accepted' });
  });

  test('the credentials are stored before the phone is answered', async () => {
    const number = newNumber();
    const opened = openLink(fixture);
    const { code } = await opened.log.next('code');
    opened.credentials.failure = new Error('the disk is full');
    const scanned = fixture.scan(code, number).then(
      () => 'linked',
      () => 'failed',
    );
    expect(await opened.log.next('closed')).toEqual({ type: 'closed', reason: 'lost' });
    opened.credentials.failure = null;
    expect(opened.credentials.records.size).toBe(0);
    expect(fixture.server.record.connected()).not.toContain(number);
    expect(await scanned).toBe('failed');
  });

  test('a connection lost during the attempt ends it, and the next one works', async () => {
    fixture.server.faults.refuseConnections(true);
    onTestFinished(() => fixture.server.faults.refuseConnections(false));
    const refused = openLink(fixture);
    expect(await refused.log.next('closed')).toEqual({ type: 'closed', reason: 'lost' });
    fixture.server.faults.refuseConnections(false);
    const number = newNumber();
    const next = openLink(fixture, refused);
    const { code } = await next.log.next('code');
    await fixture.scan(code, number);
    expect(await next.log.next('open')).toEqual({ type: 'open', phoneNumber: number });
    await next.link.close();
  });

  test('a network that asks for a passkey is reported as such', async () => {
    fixture.server.faults.askPasskey(true);
    onTestFinished(() => fixture.server.faults.askPasskey(false));
    const { link, log, credentials } = openLink(fixture);
    const { code } = await log.next('code');
    await expect(fixture.scan(code, newNumber())).rejects.toThrow();
    expect(await log.next('passkey')).toMatchObject({ passkey: { stage: 'requested', options: { rpId: 'whatsapp.com' }, reason: null } });
    await link.close();
    expect(credentials.records.size).toBe(0);
  });
});

test.each([[true], [false], [null]])('what the network sends about the account is kept: migrated %s', async (lidMigrated) => {
  const number = newNumber();
  fixture.server.person(number).is({ lidMigrated });
  const { credentials } = await linked(number);
  const creds = decodeRecord(credentials.records.get('creds') ?? Buffer.of()) as AuthenticationCreds;
  expect(accountFacts(creds).migrated).toBe(lidMigrated);
});

describe('between the scan and the first login', () => {
  test('a lost connection does not lose the number', async () => {
    const number = newNumber();
    const { link, log, credentials } = openLink(fixture);
    const { code } = await log.next('code');
    fixture.server.faults.refuseConnections(true);
    onTestFinished(() => fixture.server.faults.refuseConnections(false));
    const scanned = fixture.scan(code, number);
    await waitFor(() => expect(credentials.records.size).toBeGreaterThan(0));
    await fixture.server.record.until(() => fixture.server.record.linked().includes(number));
    fixture.server.faults.refuseConnections(false);
    await scanned;
    await log.next('open');
    await link.close();
  });

  test('a network that does not let it in keeps the credentials for later', async () => {
    const number = newNumber();
    const opened = openLink(fixture);
    const { code } = await opened.log.next('code');
    fixture.server.faults.onLogin(number, { code: 503 });
    const scanned = fixture.scan(code, number).catch(() => 'not yet');
    expect(await opened.log.next('closed')).toEqual({ type: 'closed', reason: 'lost' });
    expect(opened.credentials.records.size).toBeGreaterThan(0);
    fixture.server.faults.onLogin(number, null);
    expect(await again(opened).log.next('open')).toEqual({ type: 'open', phoneNumber: number });
    await scanned;
  });

  test('a network that takes it back leaves nothing', async () => {
    const number = newNumber();
    const opened = openLink(fixture);
    const { code } = await opened.log.next('code');
    fixture.server.faults.onLogin(number, { code: 401 });
    const scanned = fixture.scan(code, number).catch(() => 'never');
    expect(await opened.log.next('closed')).toEqual({ type: 'closed', reason: 'unlinked' });
    expect(opened.credentials.records.size).toBe(0);
    fixture.server.faults.onLogin(number, null);
    await opened.link.close();
    void scanned;
  });
});

test('a restriction is reported while it holds and when it is lifted', async () => {
  const opened = await linked();
  const until = Math.floor(Date.now() / 1000) + 3600;
  fixture.server.faults.restrictReachOut(opened.number, until);
  expect((await opened.log.next('restriction')).restriction).toEqual({ reason: 'reach_out_blocked', until: until * 1000 });
  fixture.server.faults.restrictReachOut(opened.number, null);
  expect((await opened.log.next('restriction')).restriction).toBeNull();
});

describe('a login that the network refuses', () => {
  test.each([
    { code: 401, events: [{ type: 'closed', reason: 'unlinked' }], kept: false },
    { code: 403, events: [{ type: 'closed', reason: 'banned' }], kept: false },
    { code: 500, events: [{ type: 'closed', reason: 'lost' }], kept: true },
    { code: 503, events: [{ type: 'closed', reason: 'lost' }], kept: true },
  ])('with $code', async ({ code, events, kept }) => {
    const opened = await linked();
    await opened.link.close();
    fixture.server.faults.onLogin(opened.number, { code });
    const refused = again(opened);
    await refused.log.until('closed');
    expect(refused.log.all).toEqual(events);
    expect(refused.credentials.records.size > 0).toBe(kept);
    fixture.server.faults.onLogin(opened.number, null);
    if (kept) expect(await again(opened).log.next('open')).toEqual({ type: 'open', phoneNumber: opened.number });
  });

  test('for a while, says until when', async () => {
    const opened = await linked();
    await opened.link.close();
    fixture.server.faults.onLogin(opened.number, { code: 402, expireSeconds: 3600 });
    const refused = again(opened);
    const until = fixture.clock.now() + 3_600_000;
    expect(await refused.log.next('restriction')).toEqual({
      type: 'restriction',
      restriction: { reason: 'temporarily_banned', until },
    });
    expect(await refused.log.next('closed')).toEqual({ type: 'closed', reason: 'lost', notBefore: until });
    expect(refused.credentials.records.size).toBeGreaterThan(0);
  });

  test('because the version is too old, says so', async () => {
    const opened = await linked();
    await opened.link.close();
    fixture.server.faults.onLogin(opened.number, { code: 405 });
    const refused = again(opened);
    expect((await refused.log.next('restriction')).restriction).toEqual({ reason: 'version_refused', until: null });
    expect(await refused.log.next('closed')).toMatchObject({ reason: 'lost', notBefore: fixture.clock.now() + 3_600_000 });
  });
});

describe('an open connection that ends', () => {
  test.each([
    { how: { kind: 'stream_error', code: 515 }, reason: 'restart', kept: true },
    { how: { kind: 'stream_error', code: 503 }, reason: 'lost', kept: true },
    { how: { kind: 'stream_error', code: 500 }, reason: 'lost', kept: true },
    { how: { kind: 'drop' }, reason: 'lost', kept: true },
    { how: { kind: 'stream_error', code: 440, conflict: 'replaced' }, reason: 'replaced', kept: true },
    { how: { kind: 'stream_error', code: 401, conflict: 'device_removed' }, reason: 'unlinked', kept: false },
    { how: { kind: 'stream_error', code: 401 }, reason: 'unlinked', kept: false },
  ] as const)('$how.kind $how.code: $reason', async ({ how, reason, kept }) => {
    const opened = await linked();
    await fixture.server.faults.end(opened.number, how);
    expect(await opened.log.next('closed')).toEqual({ type: 'closed', reason });
    expect(opened.credentials.records.size > 0).toBe(kept);
    expect(await opened.link.send(textMessage(fixture.network, newNumber()))).toEqual({ outcome: 'not_open' });
    if (kept) await again(opened).log.next('open');
  });

  // A question that has no bound of its own waits for a minute.
  test('silent, is found out by a probe', { timeout: 20_000 }, async () => {
    const opened = await linked();
    await fixture.server.faults.end(opened.number, { kind: 'silence' });
    expect(await opened.link.probe()).toBe(false);
    expect(await opened.log.next('closed')).toEqual({ type: 'closed', reason: 'lost' });
    expect(await again(opened).log.next('open')).toEqual({ type: 'open', phoneNumber: opened.number });
  });

  test('with the store away, comes back when the store does', async () => {
    const opened = await linked();
    opened.credentials.failure = new Error('the store is away');
    expect(await opened.link.send(textMessage(fixture.network, newNumber()))).not.toMatchObject({ outcome: 'accepted' });
    expect(await opened.log.next('closed')).toEqual({ type: 'closed', reason: 'lost' });
    const refused = again(opened);
    expect(await refused.log.next('closed')).toEqual({ type: 'closed', reason: 'lost' });
    opened.credentials.failure = null;
    const back = again(opened);
    await back.log.next('open');
    expect(await back.link.send(textMessage(fixture.network, newNumber()))).toMatchObject({ outcome: 'accepted' });
  });
});

test('a connection on which nothing comes is noticed without being asked', async () => {
  const own = await setupWhatsApp({ timing: { keepAliveMs: 4_000 } });
  onTestFinished(async () => {
    await own.network.close();
    await own.close();
  });
  const opened = await pairedLink(own, '491701234567');
  await own.server.faults.end('491701234567', { kind: 'silence' });
  expect(await opened.log.next('closed')).toEqual({ type: 'closed', reason: 'lost' });
});

describe('logging out', () => {
  test('really unlinks', async () => {
    const opened = await linked();
    expect(fixture.server.record.linked()).toContain(opened.number);
    await opened.link.logout();
    expect(fixture.server.record.logouts).toContain(opened.number);
    expect(fixture.server.record.linked()).not.toContain(opened.number);
    expect(opened.credentials.records.size).toBe(0);
  });

  test('of a link that has just closed touches neither the network nor the credentials', async () => {
    const first = await linked();
    await first.link.close();
    const { promise: done, resolve } = Promise.withResolvers<unknown>();
    const opened = openLink(fixture, {
      ...first,
      react: (event) => {
        if (event.type === 'closed') resolve(opened.link.logout().catch((error: unknown) => error));
      },
    });
    await opened.log.next('open');
    await fixture.server.faults.end(first.number, { kind: 'drop' });
    await opened.log.next('closed');
    expect(await done).toBeInstanceOf(LinkEnded);
    expect(first.credentials.records.size).toBeGreaterThan(0);
    expect(fixture.server.record.logouts).not.toContain(first.number);
  });

  test('of a link that is just ending by itself does nothing and says so', async () => {
    const opened = await linked();
    const to = newNumber();
    const begun = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    opened.credentials.beforeWrite = () => {
      begun.resolve();
      return stored.promise;
    };
    // The link ends only when this write is done.
    void opened.link.send(textMessage(fixture.network, to));
    await begun.promise;
    await fixture.server.faults.end(opened.number, { kind: 'drop' });
    await waitFor(async () => expect(await opened.link.knows(to)).toBeNull());
    const late = opened.link.logout().catch((error: unknown) => error);
    stored.resolve();
    expect(await late).toBeInstanceOf(LinkEnded);
    expect(fixture.server.record.logouts).not.toContain(opened.number);
    expect(await again(opened).log.next('open')).toEqual({ type: 'open', phoneNumber: opened.number });
  });

  test('of a link that its phone has just unlinked waits until the credentials are deleted', async () => {
    const opened = await linked();
    const begun = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    opened.credentials.beforeClear = () => {
      begun.resolve();
      return stored.promise;
    };
    await fixture.unlink(opened.number);
    await begun.promise;
    const late = opened.link.logout().catch((error: unknown) => error);
    stored.resolve();
    expect(await late).toBeInstanceOf(LinkEnded);
    expect(await opened.log.next('closed')).toEqual({ type: 'closed', reason: 'unlinked' });
    expect(opened.credentials.records.size).toBe(0);
  });

  test('fails when the network does not answer, and the number stays linked', async () => {
    const opened = await linked();
    await opened.link.close();
    fixture.server.faults.onLogin(opened.number, { code: 503 });
    const away = again(opened);
    await expect(away.link.logout()).rejects.toThrow('did not confirm');
    expect(away.credentials.records.size).toBeGreaterThan(0);
    expect(away.log.all).toEqual([]);
    fixture.server.faults.onLogin(opened.number, null);
    expect(await again(opened).log.next('open')).toEqual({ type: 'open', phoneNumber: opened.number });
  });

  test('of a number whose credentials cannot be read deletes them without the network', async () => {
    const opened = await linked();
    await opened.link.close();
    opened.credentials.unreadable = () => true;
    await again(opened).link.logout();
    expect(opened.credentials.records.size).toBe(0);
    expect(fixture.server.record.linked()).toContain(opened.number);
  });

  test.each([
    ['is away', new StoreUnavailable('the store is away')],
    ['refuses', new Error('permission denied for table credentials')],
  ])('fails while the store %s, and the number stays linked', async (_what, failure) => {
    const opened = await linked();
    await opened.link.close();
    opened.credentials.failure = failure;
    await expect(again(opened).link.logout()).rejects.toThrow('did not confirm');
    opened.credentials.failure = null;
    expect(opened.credentials.records.size).toBeGreaterThan(0);
    expect(await again(opened).log.next('open')).toEqual({ type: 'open', phoneNumber: opened.number });
  });
});

test('a linked number that is sent to and comes back keeps one small record per recipient', async () => {
  const opened = await linked();
  const to = newNumber();
  const sizeOf = () => [...opened.credentials.records.values()].reduce((sum, record) => sum + record.length, 0);
  await opened.link.send(textMessage(fixture.network, to));
  const once = { records: opened.credentials.records.size, bytes: sizeOf() };
  for (let round = 0; round < 20; round++) {
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => opened.link.send(textMessage(fixture.network, to))));
    expect(outcomes.filter(({ outcome }) => outcome !== 'accepted')).toEqual([]);
    // Each reply that is read moves the ratchet on.
    const id = await fixture.server.person(to).send(opened.number, 'received');
    await fixture.server.record.until(() => fixture.server.record.receipts.some((receipt) => receipt.id === id));
  }
  // Two of them note the chat, under number and LID.
  expect(opened.credentials.records.size).toBeLessThanOrEqual(once.records + 4);
  expect(sizeOf() - once.bytes).toBeLessThan(1_000);
});

test('a recipient that cannot decrypt its message gets it again', async () => {
  const opened = await linked();
  const to = newNumber();
  await opened.link.send(textMessage(fixture.network, to, 'the first'));
  fixture.server.faults.onMessage({ to }, { kind: 'undecryptable' });
  await opened.link.send(textMessage(fixture.network, to, 'the second'));
  const second = await fixture.server.person(to).nextReceived(({ message }) => message.conversation === 'the second');
  expect(second).toMatchObject({ from: opened.number });
});

test('a connection that cannot begin while the store is away takes no message from a device that asks for it again later', async () => {
  const own = await setupWhatsApp({ retryKeepHours: 0 });
  onTestFinished(async () => {
    await own.network.close();
    await own.close();
  });
  const [number, to] = ['491701234567', '34600111222'];
  const opened = await pairedLink(own, number);
  const message = textMessage(own.network, to);
  expect(await opened.link.send(message)).toMatchObject({ outcome: 'accepted' });
  await opened.link.close();
  opened.credentials.failure = new StoreUnavailable('the store is away');
  await openLink(own, opened).log.next('closed');
  opened.credentials.failure = null;
  await openLink(own, opened).log.next('open');
  await own.server.person(to).askFor(number, message.messageId);
  await own.server.record.until(() => own.server.record.retriesAcknowledged(message.messageId) === 1);
  expect(own.server.record.resends).toHaveLength(1);
});

test('an unreadable authority is reported to the operator', () => {
  const options = {
    clock: fixture.clock,
    log: pino({ enabled: false }),
    workers: 1,
    url: null,
    rootKey: null,
    retryKeepHours: 72,
    version: null,
    versionUrl: null,
  };
  expect(() => createWhatsAppNetwork({ ...options, versions: memoryVersions(), caFile: '/nowhere/ca.pem' })).toThrow(OperatorError);
});

test('a server that says nothing does not hold up closing', async () => {
  const held: Socket[] = [];
  const mute = createServer((socket) => void held.push(socket));
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  const { port } = mute.address() as AddressInfo;
  const own = await setupWhatsApp({ url: `ws://127.0.0.1:${port}/ws/chat` });
  const { link, log, credentials } = openLink(own);
  await waitFor(() => expect(held).toHaveLength(1));
  await link.close();
  expect(log.all).toEqual([]);
  expect(credentials.records.size).toBe(0);
  await own.network.close();
  await own.close();
  for (const socket of held) socket.destroy();
  mute.close();
});
