import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/core/index.ts';
import { requestRow } from '../../src/store/request-log.ts';
import { logRequest, requestRecord } from '../support/request-log.ts';
import { storeKinds } from '../support/stores.ts';
import { openTerminal, startOfTests, type Terminal } from './world.ts';

const minuteMs = 60_000;

describe.each(storeKinds)('gateway number show and list --needs-person on %s', (kind) => {
  let terminal: Terminal;
  let account: string;
  beforeEach(async () => {
    terminal = await openTerminal(kind);
    account = (await terminal.json('account', 'create', '--name', 'Bakery')).account_id;
  });
  afterEach(() => terminal.dispose());

  async function instance(more: object = {}): Promise<string> {
    const id = newId();
    const row = { id, account_id: account, network: 'sandbox', phone_number: null, linked: 0, conflict: 0, created_at: startOfTests };
    await terminal.store.db
      .insertInto('instances')
      .values({ ...row, ...more })
      .execute();
    return id;
  }
  async function happened(instance_id: string, event: string, at: number, more: object = {}): Promise<void> {
    const actor = { actor_kind: null, actor_id: null, actor_name: null };
    const row = {
      id: newId(),
      account_id: account,
      instance_id,
      event,
      detail: null,
      note: null,
      at,
      last_at: at,
      ended_at: null,
      until: null,
      count: 1,
      ...actor,
    };
    await terminal.store.db
      .insertInto('number_history')
      .values({ ...row, ...more })
      .execute();
  }
  const iso = (minutes: number) => new Date(startOfTests + minutes * minuteMs).toISOString();

  it('says how a number is, since when, why, what to do, and what happened to it', async () => {
    const id = await instance({ phone_number: '491710001400' });
    await happened(id, 'linked', startOfTests - 60 * minuteMs, { actor_kind: 'user', actor_id: newId(), actor_name: 'mia@example.com' });
    await happened(id, 'lost', startOfTests - 50 * minuteMs, {
      detail: 'lost',
      count: 3,
      last_at: startOfTests - 42 * minuteMs,
      ended_at: startOfTests - 40 * minuteMs,
    });
    await happened(id, 'unlinked', startOfTests - 5 * minuteMs);

    const shown = await terminal.json('number', 'show', id);
    expect(shown).toMatchObject({
      instance_id: id,
      standing: 'needs_person',
      since: iso(-5),
      why: expect.stringContaining('linked devices'),
      what_to_do: expect.stringContaining('scan'),
      last_send: null,
      history: [
        { event: 'unlinked', at: iso(-5), count: 1, by: null },
        { event: 'lost', at: iso(-50), last_at: iso(-42), ended_at: iso(-40), count: 3 },
        { event: 'linked', by: 'mia@example.com' },
      ],
    });
    const { stdout } = await terminal.run('number', 'show', id);
    expect(stdout).toMatch(/state +needs a person/);
    expect(stdout).toContain(`${iso(-50)}  Connection lost, 3 times until ${iso(-42)}; over at ${iso(-40)}`);
    expect(stdout).toMatch(/Linked with a phone +mia@example\.com/);
  });

  it('names its last send, however many of other numbers came after it', async () => {
    const [id, busy] = [await instance({ linked: 1 }), await instance({ linked: 1 })];
    const send = (instance_id: string, at: number) =>
      requestRecord({ request_id: newId(), at, account_id: account, instance_id, message_type: 'text' });
    const last = send(id, startOfTests - 60 * minuteMs);
    await logRequest(terminal.store, last);
    const { db } = terminal.store;
    // More than one page of the log is searched for.
    for (let times = 0; times < 11; times++)
      await db
        .insertInto('requests')
        .values(Array.from({ length: 1000 }, () => requestRow(send(busy, startOfTests))))
        .execute();
    expect((await terminal.json('number', 'show', id)).last_send).toMatchObject({ request_id: last.request_id });
  });

  it('tells a number that was never linked from one that needs a person', async () => {
    const never = await instance();
    const unlinked = await instance({ phone_number: '491710001401' });
    const parked = await instance({ phone_number: '491710001402', linked: 1, restriction_reason: 'replaced' });
    const linked = await instance({ phone_number: '491710001403', linked: 1 });
    const ids = (numbers: { instance_id: string }[]) => numbers.map((number) => number.instance_id).toSorted();
    for (const where of [[], ['--account', account]]) {
      expect(ids(await terminal.json('number', 'list', '--needs-person', ...where))).toEqual([unlinked, parked].toSorted());
    }
    const all = await terminal.json('number', 'list', '--account', account);
    const standings = new Map(all.map((number: { instance_id: string; standing: string }) => [number.instance_id, number.standing]));
    expect([never, unlinked, parked, linked].map((id) => standings.get(id))).toEqual([
      'never_linked',
      'needs_person',
      'needs_person',
      'linked',
    ]);
    expect((await terminal.json('number', 'show', never)).why).toBe('No phone has been linked yet.');
    expect((await terminal.json('number', 'show', parked)).what_to_do).toContain('Stop the other program');
  });

  it('wants an account, or to be asked for those that need a person', async () => {
    expect(await terminal.run('number', 'list')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--account') });
    expect((await terminal.run('number', 'list', '--needs-person')).stdout).toBe('No number needs a person.\n');
    expect(await terminal.run('number', 'show', newId())).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no number') });
  });
});
