import fc from 'fast-check';
import { expect, test } from 'vitest';
import { letEverythingHappen, type NetworkFixture, openLink, pairedLink } from './fixture.ts';

/** How a link without credentials gets to be linked, or does not. */
export function pairingCases(fixture: () => NetworkFixture): void {
  const phone = (): string => fixture().numbers.phones[0];

  test('a message id has the network format and is the same for the same digits', () => {
    const { network } = fixture();
    const entropy = fc.uint8Array({ minLength: 16, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));
    fc.assert(
      fc.property(entropy, entropy, (digits, others) => {
        const id = network.messageId(digits);
        expect(id).toMatch(/^[A-Za-z0-9_=+/-]{1,128}$/);
        expect(network.messageId(digits)).toBe(id);
        if (digits.slice(0, 16) !== others.slice(0, 16)) expect(network.messageId(others)).not.toBe(id);
      }),
    );
  });

  test('opening emits nothing before it returns, then shows the first code', async () => {
    const { clock, codeLifetimesMs } = fixture();
    const { log, link } = openLink(fixture());
    expect(log.all).toEqual([]);
    const first = await log.next('code');
    expect(first).toMatchObject({ sequence: 1, expiresAt: clock.now() + (codeLifetimesMs[0] ?? 0) });
    expect(first.code).not.toBe('');
    await link.close();
  });

  test.each([-3_600_000, 3_600_000])('a code is shown as long when the calendar is set by %i ms meanwhile', async (ms) => {
    const { clock, codeLifetimesMs } = fixture();
    const { log, link } = openLink(fixture());
    await log.next('code');
    clock.setCalendar(ms);
    const first = codeLifetimesMs[0] ?? 0;
    await clock.advanceAsync(first - 1);
    expect(log.all).toHaveLength(1);
    await clock.advanceAsync(1);
    expect(await log.next('code')).toMatchObject({ sequence: 2 });
    await link.close();
    clock.setCalendar(-ms);
  });

  test('codes rotate at their times, all different, until the attempt is exhausted [sandbox.driver]', async () => {
    const { clock, codeLifetimesMs, network } = fixture();
    expect(codeLifetimesMs).toHaveLength(network.rotationLimit);
    const { log, link } = openLink(fixture());
    const codes = new Set<string>();
    for (const [index, lifetime] of codeLifetimesMs.entries()) {
      const shown = await log.next('code');
      expect(shown).toMatchObject({ sequence: index + 1, expiresAt: clock.now() + lifetime });
      codes.add(shown.code);
      await clock.advanceAsync(lifetime - 1);
      expect(log.unread).toEqual([]);
      await clock.advanceAsync(1);
    }
    expect(codes.size).toBe(network.rotationLimit);
    expect(await log.next('closed')).toEqual({ type: 'closed', reason: 'codes_exhausted' });

    await letEverythingHappen(fixture());
    expect(log.unread).toEqual([]);
    await link.close();
  });

  test('a scan of a later code links the number; its credentials are stored before it is reported', async () => {
    const { clock, codeLifetimesMs, scan } = fixture();
    let storedWhenOpen = 0;
    const opened = openLink(fixture(), {
      react: (event) => {
        if (event.type === 'open') storedWhenOpen = opened.credentials.records.size;
      },
    });
    await opened.log.next('code');
    await clock.advanceAsync(codeLifetimesMs[0] ?? 0);
    const { code } = await opened.log.next('code');
    await scan(code, phone());
    expect(await opened.log.next('open')).toEqual({ type: 'open', phoneNumber: phone() });
    expect(storedWhenOpen).toBeGreaterThan(0);

    await letEverythingHappen(fixture());
    expect(opened.log.unread).toEqual([]);
    await opened.link.close();
  });

  test('a pairing code has eight letters or digits, where the network has them', async () => {
    const { link, log } = openLink(fixture());
    await log.next('code');
    const code = await link.requestPairingCode(phone());
    if (code !== null) expect(code).toMatch(/^[A-Z0-9]{8}$/);
    await link.close();
  });

  test('closing an attempt ends it without a word and leaves no credentials', async () => {
    const { link, log, credentials } = openLink(fixture());
    await log.next('code');
    await link.close();
    await letEverythingHappen(fixture());
    expect(log.unread).toEqual([]);
    expect(credentials.records.size).toBe(0);
  });

  test('closing or logging out before the first code ends the link without a word', async () => {
    const closed = openLink(fixture());
    const loggedOut = openLink(fixture());
    await Promise.all([closed.link.close(), loggedOut.link.logout()]);
    await letEverythingHappen(fixture());
    expect([...closed.log.all, ...loggedOut.log.all]).toEqual([]);
  });

  test('logging out from within the open event leaves nothing linked', async () => {
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const opened = openLink(fixture(), {
      react: (event) => {
        if (event.type === 'open') resolve(opened.link.logout());
      },
    });
    const { code } = await opened.log.next('code');
    await fixture().scan(code, phone());
    await done;
    await opened.log.next('open');
    expect(opened.credentials.records.size).toBe(0);
    expect(opened.log.unread).toEqual([]);
  });

  test('one phone can link several instances', async () => {
    const first = await pairedLink(fixture(), phone());
    const second = await pairedLink(fixture(), phone());
    expect(await Promise.all([first.link.probe(), second.link.probe()])).toEqual([true, true]);
    await second.link.logout();
    expect(await first.link.probe()).toBe(true);
    await first.link.close();
  });
}
