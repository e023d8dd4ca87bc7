import { expect, test } from 'vitest';
import { LinkEnded } from '../../src/networks/index.ts';
import { letEverythingHappen, type NetworkFixture, openLink, pairedLink } from './fixture.ts';
import { MemoryCredentials } from './memory-credentials.ts';
import { textMessage } from './outgoing.ts';

/** What becomes of a number once it is linked. */
export function linkingCases(fixture: () => NetworkFixture): void {
  const phone = (): string => fixture().numbers.phones[0];

  test('closing keeps the number linked and emits nothing; the credentials log in again [restart.linked]', async () => {
    const { instanceId, credentials, link, log } = await pairedLink(fixture(), phone());
    await link.close();
    expect(credentials.records.size).toBeGreaterThan(0);
    await letEverythingHappen(fixture());
    expect(log.unread).toEqual([]);

    const again = openLink(fixture(), { instanceId, credentials });
    expect(again.log.all).toEqual([]);
    expect(await again.log.next('open')).toEqual({ type: 'open', phoneNumber: phone() });
    await again.link.close();
  });

  test('logging out clears the credentials, emits nothing, and the old credentials open nothing', async () => {
    const { instanceId, credentials, link, log } = await pairedLink(fixture(), phone());
    const copy = new MemoryCredentials();
    for (const [name, record] of credentials.records) copy.records.set(name, record);
    await link.logout();
    expect(credentials.records.size).toBe(0);
    await letEverythingHappen(fixture());
    expect(log.unread).toEqual([]);

    const thief = openLink(fixture(), { instanceId, credentials: copy });
    expect(await thief.log.next('closed')).toEqual({ type: 'closed', reason: 'unlinked' });
    expect(copy.records.size).toBe(0);

    const fresh = openLink(fixture(), { instanceId, credentials });
    await fresh.log.next('code');
    await fresh.link.close();
  });

  test('the number can be linked again after a logout, also to another phone', async () => {
    const { instanceId, credentials, link } = await pairedLink(fixture(), phone());
    await link.logout();
    const again = openLink(fixture(), { instanceId, credentials });
    const { code } = await again.log.next('code');
    const other = fixture().numbers.phones[1];
    await fixture().scan(code, other);
    expect(await again.log.next('open')).toEqual({ type: 'open', phoneNumber: other });
    await again.link.close();
  });

  test('unlinking on the phone closes a connected link, credentials cleared first', async () => {
    const paired = await pairedLink(fixture(), phone());
    await fixture().unlink(phone());
    expect(await paired.log.next('closed')).toEqual({ type: 'closed', reason: 'unlinked' });
    expect(paired.credentials.records.size).toBe(0);
    expect(await paired.link.probe()).toBe(false);
    expect(await paired.link.send(textMessage(fixture().network, fixture().numbers.ordinary[0]))).toEqual({ outcome: 'not_open' });

    await letEverythingHappen(fixture());
    expect(paired.log.unread).toEqual([]);
    await paired.link.close();
  });

  test('unlinking while the link is away is found out at the next login [sandbox.driver]', async () => {
    const { instanceId, credentials, link } = await pairedLink(fixture(), phone());
    await link.close();
    await fixture().unlink(phone());
    const again = openLink(fixture(), { instanceId, credentials });
    expect(await again.log.next('closed')).toEqual({ type: 'closed', reason: 'unlinked' });
    expect(credentials.records.size).toBe(0);
    await letEverythingHappen(fixture());
    expect(again.log.unread).toEqual([]);
  });

  test('unlinking during the login is not missed', async () => {
    const { instanceId, credentials, link } = await pairedLink(fixture(), phone());
    await link.close();
    const again = openLink(fixture(), { instanceId, credentials });
    await fixture().unlink(phone());
    await again.log.until('closed');
    expect(again.log.all.at(-1)).toEqual({ type: 'closed', reason: 'unlinked' });
    expect(credentials.records.size).toBe(0);
  });

  test('a login elsewhere with the same credentials closes the link as replaced; the credentials are kept and log in again [replaced.parked]', async () => {
    const first = await pairedLink(fixture(), phone());
    const copy = new MemoryCredentials();
    for (const [name, record] of first.credentials.records) copy.records.set(name, record);
    const elsewhere = openLink(fixture(), { instanceId: first.instanceId, credentials: copy });
    await elsewhere.log.next('open');
    expect(await first.log.next('closed')).toEqual({ type: 'closed', reason: 'replaced' });
    expect(first.credentials.records.size).toBeGreaterThan(0);
    expect(await first.link.send(textMessage(fixture().network, fixture().numbers.ordinary[0]))).toEqual({ outcome: 'not_open' });
    expect(await elsewhere.link.probe()).toBe(true);

    const back = openLink(fixture(), first);
    expect(await back.log.next('open')).toEqual({ type: 'open', phoneNumber: phone() });
    expect(await elsewhere.log.next('closed')).toEqual({ type: 'closed', reason: 'replaced' });
    await back.link.close();
  });

  test('a login that is closed or logged out half-way emits nothing', async () => {
    const first = await pairedLink(fixture(), phone());
    await first.link.close();
    const closed = openLink(fixture(), first);
    await closed.link.close();
    expect(first.credentials.records.size).toBeGreaterThan(0);
    const loggedOut = openLink(fixture(), first);
    await loggedOut.link.logout();
    expect(first.credentials.records.size).toBe(0);
    await letEverythingHappen(fixture());
    expect([...closed.log.all, ...loggedOut.log.all]).toEqual([]);
  });

  test('ending a link twice, or after it has closed, is harmless', async () => {
    const { link, log } = await pairedLink(fixture(), phone());
    await Promise.all([link.logout(), link.logout(), link.close()]);
    await link.close();
    const unlinked = await pairedLink(fixture(), phone());
    await fixture().unlink(phone());
    await unlinked.log.next('closed');
    await expect(unlinked.link.logout()).rejects.toBeInstanceOf(LinkEnded);
    await unlinked.link.close();
    expect(log.unread).toEqual([]);
    expect(unlinked.log.unread).toEqual([]);
  });

  test('a probe answers whether the network answers', async () => {
    const pairing = openLink(fixture());
    await pairing.log.next('code');
    expect(await pairing.link.probe()).toBe(false);
    await pairing.link.close();

    const { link } = await pairedLink(fixture(), phone());
    expect(await link.probe()).toBe(true);
    await link.close();
    expect(await link.probe()).toBe(false);
  });

  test('a check answers each number in order', async () => {
    const { ordinary, notOnNetwork, cannotSay, answersElsewhere } = fixture().numbers;
    const { link } = await pairedLink(fixture(), phone());
    const expected = [
      { number: ordinary[0], reachable: true, networkNumber: ordinary[0] },
      { number: notOnNetwork, reachable: false, networkNumber: null },
      { number: cannotSay, reachable: null, networkNumber: null },
      { number: answersElsewhere.dialled, reachable: true, networkNumber: answersElsewhere.answering },
      { number: ordinary[1], reachable: true, networkNumber: ordinary[1] },
    ];
    const answers = await link.check(expected.map(({ number }) => number));
    expect(answers).toEqual(expected.map(({ number: _, ...answer }) => answer));
    expect(await link.check([])).toEqual([]);
    await link.close();
  });

  test('a check through a link that is not open says that it cannot say', async () => {
    const { link } = await pairedLink(fixture(), phone());
    await link.close();
    expect(await link.check([...fixture().numbers.ordinary])).toEqual(Array(2).fill({ reachable: null, networkNumber: null }));
  });

  test('a typed pairing code is only given during an attempt', async () => {
    const { link } = await pairedLink(fixture(), phone());
    expect(await link.requestPairingCode(phone())).toBeNull();
    await link.close();
    expect(await link.requestPairingCode(phone())).toBeNull();
  });
}
