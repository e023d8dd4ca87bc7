import { describe, expect, test } from 'vitest';
import { LastingTime, newId } from '../../src/core/index.ts';
import { createSandboxNetwork } from '../../src/networks/sandbox/sandbox-network.ts';
import { storeKinds } from '../support/stores.ts';
import { openLink, pairedLink } from './fixture.ts';
import { textMessage } from './outgoing.ts';
import { useSandbox } from './sandbox-fixture.ts';

const phone = '491701234567';

describe.each(storeKinds)('sandbox phones on %s', (kind) => {
  const setup = useSandbox(kind);

  test('a scan answers with the instance and its number', async () => {
    const sandbox = await setup();
    const { instanceId, log } = openLink(sandbox);
    const { code } = await log.next('code');
    expect(code).toMatch(/^sandbox@[\w-]{32}$/);
    expect(await sandbox.network.scan(sandbox.accountId, code, phone)).toEqual({ instanceId, phoneNumber: phone });
  });

  test('the credential record holds the device and the number, and nothing secret of others', async () => {
    const { credentials } = await pairedLink(await setup(), phone);
    expect([...credentials.records.keys()]).toEqual(['device']);
    expect(JSON.parse(String(credentials.records.get('device')))).toEqual({ device_id: expect.any(String), phone_number: phone });
  });

  test('only the code on show can be scanned, once, and only for its own account', async () => {
    const { network, accountId, clock, ...rest } = await setup();
    const { log } = openLink({ network, accountId });
    const first = await log.next('code');
    await clock.advanceAsync(rest.codeLifetimesMs[0] ?? 0);
    const second = await log.next('code');
    expect(await network.scan(accountId, first.code, phone)).toBeNull();
    expect(await network.scan(newId(), second.code, phone)).toBeNull();
    const scans = await Promise.all([network.scan(accountId, second.code, phone), network.scan(accountId, second.code, '491700000009')]);
    expect(scans.filter((scan) => scan !== null)).toHaveLength(1);
    expect(await network.scan(accountId, second.code, phone)).toBeNull();
  });

  test('codes of an attempt that has ended cannot be scanned', async () => {
    const { network, accountId, clock } = await setup();
    const exhausted = openLink({ network, accountId });
    await exhausted.log.next('code');
    await clock.advanceAsync(140_000);
    const last = exhausted.log.unread.findLast((event) => event.type === 'code');
    expect(await network.scan(accountId, last?.code ?? '', phone)).toBeNull();
    const closed = openLink({ network, accountId });
    const { code } = await closed.log.next('code');
    await closed.link.close();
    expect(await network.scan(accountId, code, phone)).toBeNull();
    expect(await network.scan(accountId, '', phone)).toBeNull();
  });

  test('a typed pairing code links the phone it was asked for, through code rotations, and no other', async () => {
    const { network, accountId, clock } = await setup();
    const { link, log, instanceId } = openLink({ network, accountId });
    const replaced = await link.requestPairingCode(phone);
    const code = await link.requestPairingCode(phone);
    expect(code).toMatch(/^[A-Z0-9]{8}$/);
    await clock.advanceAsync(65_000);
    expect(await network.scan(accountId, replaced ?? '', phone)).toBeNull();
    expect(await network.scan(accountId, code ?? '', '491700000009')).toBeNull();
    expect(await network.scan(accountId, code ?? '', phone)).toEqual({ instanceId, phoneNumber: phone });
    expect(await log.until('open')).toMatchObject({ phoneNumber: phone });
  });

  test('two accounts can link the same phone and know nothing of each other', async () => {
    const sandbox = await setup();
    const other = { network: sandbox.network, accountId: newId() };
    const mine = await pairedLink(sandbox, phone);
    const theirs = openLink(other);
    await sandbox.network.scan(other.accountId, (await theirs.log.next('code')).code, phone);
    await theirs.log.next('open');

    const to = sandbox.numbers.ordinary[0];
    await theirs.link.send(textMessage(sandbox.network, to));
    expect(await sandbox.received(to)).toEqual([]);
    await sandbox.unlink(phone);
    await mine.log.next('closed');
    expect(await theirs.link.probe()).toBe(true);
    expect(theirs.log.unread).toEqual([]);
  });

  test('unlinking takes every device of the phone, answers the oldest, and then knows none', async () => {
    const sandbox = await setup();
    const { network, accountId, clock } = sandbox;
    const away = await pairedLink(sandbox, phone);
    await clock.advanceAsync(1);
    const connected = await pairedLink(sandbox, phone);
    const others = await pairedLink(sandbox, '491705555555');
    await away.link.close();
    expect(await network.unlink(accountId, phone)).toEqual({ instanceId: away.instanceId });
    expect(await connected.log.next('closed')).toEqual({ type: 'closed', reason: 'unlinked' });
    expect(await network.unlink(accountId, phone)).toBeNull();
    expect(await network.unlink(newId(), '491705555555')).toBeNull();
    expect(await others.link.probe()).toBe(true);
  });

  test('a scan whose credentials cannot be stored fails, links nothing and closes the link as lost', async () => {
    const sandbox = await setup();
    const { log, credentials } = openLink(sandbox);
    const { code } = await log.next('code');
    credentials.failure = new Error('disk full');
    await expect(sandbox.network.scan(sandbox.accountId, code, phone)).rejects.toThrow('disk full');
    expect(await log.next('closed')).toEqual({ type: 'closed', reason: 'lost' });
    expect(await sandbox.network.unlink(sandbox.accountId, phone)).toBeNull();
  });

  test('credentials that cannot be read or make no sense close the link as lost and are kept; those of an unknown device count as unlinked', async () => {
    const sandbox = await setup();
    const failing = await pairedLink(sandbox, phone);
    await failing.link.close();
    failing.credentials.failure = new Error('store away');
    expect(await openLink(sandbox, failing).log.next('closed')).toEqual({ type: 'closed', reason: 'lost' });

    failing.credentials.failure = null;
    for (const nonsense of ['', 'null', '[]', '{"device_id":1}']) {
      failing.credentials.records.set('device', Buffer.from(nonsense));
      expect(await openLink(sandbox, failing).log.next('closed')).toEqual({ type: 'closed', reason: 'lost' });
      expect(failing.credentials.records.size).toBe(1);
    }
    failing.credentials.records.set('device', Buffer.from('{"device_id":"x"}'));
    expect(await openLink(sandbox, failing).log.next('closed')).toEqual({ type: 'closed', reason: 'unlinked' });
    expect(failing.credentials.records.size).toBe(0);
  });

  test('if the credentials of an unlinked number cannot be cleared, the next login clears them', async () => {
    const sandbox = await setup();
    const paired = await pairedLink(sandbox, phone);
    paired.credentials.failure = new Error('store away');
    await sandbox.unlink(phone);
    expect(await paired.log.next('closed')).toEqual({ type: 'closed', reason: 'lost' });
    paired.credentials.failure = null;
    expect(await openLink(sandbox, paired).log.next('closed')).toEqual({ type: 'closed', reason: 'unlinked' });
    expect(paired.credentials.records.size).toBe(0);
  });

  test('the credentials of one instance do not log in another', async () => {
    const sandbox = await setup();
    const { credentials } = await pairedLink(sandbox, phone);
    const stranger = openLink(sandbox, { credentials });
    expect(await stranger.log.next('closed')).toEqual({ type: 'closed', reason: 'unlinked' });
  });

  test('a link learns from a probe that its phone unlinked it through another process', async () => {
    const sandbox = await setup();
    const { link, log, credentials } = await pairedLink(sandbox, phone);
    const { db, transaction, deliverToSandbox } = sandbox.store;
    const elsewhere = createSandboxNetwork({
      db,
      transaction,
      deliverToSandbox,
      clock: sandbox.clock,
      time: new LastingTime(sandbox.clock),
    });
    await elsewhere.unlink(sandbox.accountId, phone);
    expect(await link.probe()).toBe(false);
    expect(await log.next('closed')).toEqual({ type: 'closed', reason: 'unlinked' });
    expect(credentials.records.size).toBe(0);
    await elsewhere.close();
  });
});
