import { describe, expect, test } from 'vitest';
import type { Link } from '../../src/networks/index.ts';
import { storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';
import { openLink, pairedLink } from './fixture.ts';
import { textMessage } from './outgoing.ts';
import { type SandboxFixture, useSandbox } from './sandbox-fixture.ts';

const phone = '491701234567';
const dayMs = 24 * 60 * 60 * 1000;

describe.each(storeKinds)('sandbox retention on %s', (kind) => {
  const setup = useSandbox(kind);

  async function sendMany({ network }: SandboxFixture, link: Link, to: string, count: number, from = 0): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, index) => link.send(textMessage(network, to, `${from + index}`))));
  }

  async function stored({ store, accountId }: SandboxFixture): Promise<number> {
    const row = await store.db
      .selectFrom('sandbox_messages')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    return Number(row.count);
  }

  /** Turns the clock until the clean-up has left this many messages of the account; a store may need real time in between. */
  async function cleanedUpTo(sandbox: SandboxFixture, count: number): Promise<void> {
    while ((await stored(sandbox)) !== count) await sandbox.clock.advanceAsync(1000);
  }

  test('the last 1,000 messages of an account are shown, whoever got them', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const [first, second] = sandbox.numbers.ordinary;
    await sendMany(sandbox, link, first, 10);
    await sendMany(sandbox, link, second, 990);
    expect(await sandbox.received(first)).toHaveLength(10);
    await sendMany(sandbox, link, second, 4);
    expect((await sandbox.received(first)).map(({ content }) => content.text)).toEqual(['4', '5', '6', '7', '8', '9']);
    expect(await sandbox.received(second)).toHaveLength(994);
  });

  test('one account does not push out the messages of another', async () => {
    const sandbox = await setup();
    const other = await setup();
    const mine = await pairedLink(sandbox, phone);
    const theirs = await pairedLink(other, phone);
    const to = sandbox.numbers.ordinary[0];
    await sendMany(sandbox, mine.link, to, 3);
    await sendMany(other, theirs.link, to, 2000);
    await cleanedUpTo(other, 1000);
    expect(await sandbox.received(to)).toHaveLength(3);
    expect(await stored(sandbox)).toBe(3);
    await Promise.all([sandbox.network.close(), other.network.close()]);
  });

  test('messages are shown for seven days', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const to = sandbox.numbers.ordinary[0];
    await sendMany(sandbox, link, to, 1);
    sandbox.clock.advance(7 * dayMs - 1);
    expect(await sandbox.received(to)).toHaveLength(1);
    sandbox.clock.advance(1);
    expect(await sandbox.received(to)).toEqual([]);
    await sandbox.network.close();
  });

  test('the surplus of a busy account is deleted from the store in steps', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    const to = sandbox.numbers.ordinary[0];
    await sendMany(sandbox, link, to, 3500);
    const shown = await sandbox.received(to);
    await cleanedUpTo(sandbox, 1000);
    expect(await sandbox.received(to)).toEqual(shown);
    await sandbox.network.close();
  });

  test('the surplus is looked at as soon when the calendar was set back', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    sandbox.clock.setCalendar(-3_600_000);
    await sendMany(sandbox, link, sandbox.numbers.ordinary[0], 1500);
    // Far from the next regular sweep.
    await sandbox.clock.advanceAsync(1000);
    await waitFor(async () => {
      await sandbox.clock.advanceAsync(25);
      expect(await stored(sandbox)).toBe(1000);
    });
    await sandbox.network.close();
  });

  test('a surplus that an earlier process left is deleted after the login', async () => {
    const sandbox = await setup();
    const paired = await pairedLink(sandbox, phone);
    await sendMany(sandbox, paired.link, sandbox.numbers.ordinary[0], 1500);
    await paired.link.close();
    await sandbox.network.close();
    expect(await stored(sandbox)).toBe(1500);

    const later = await setup();
    const again = openLink({ network: later.network, accountId: sandbox.accountId }, paired);
    await again.log.next('open');
    await cleanedUpTo({ ...later, accountId: sandbox.accountId }, 1000);
    await later.network.close();
  });

  test('expired messages are deleted from the store, also of accounts without a link', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    await sendMany(sandbox, link, sandbox.numbers.ordinary[0], 800);
    await link.close();
    sandbox.clock.advance(7 * dayMs);
    await cleanedUpTo(sandbox, 0);
    await sandbox.network.close();
  });

  test('closing the network ends the clean-up, even in its midst, and leaves no timer', async () => {
    const sandbox = await setup();
    const { link } = await pairedLink(sandbox, phone);
    await sendMany(sandbox, link, sandbox.numbers.ordinary[0], 3000);
    sandbox.clock.advance(1000);
    await link.close();
    await sandbox.network.close();
    expect(sandbox.clock.pending).toBe(0);
    const left = await stored(sandbox);
    await sandbox.clock.advanceAsync(10 * 60_000);
    expect(await stored(sandbox)).toBe(left);
  });
});
