import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/core/index.ts';
import { type ActivityFilter, findRequestOf, listActivity, type Place, type SendRecord } from '../../src/requests/index.ts';
import type { RequestRecord, Store } from '../../src/store/index.ts';
import { requestRow } from '../../src/store/request-log.ts';
import { logRequest, requestRecord } from '../support/request-log.ts';
import { openTestStore, storeKinds } from '../support/stores.ts';

const now = Date.UTC(2026, 5, 15, 12);
const dayMs = 24 * 60 * 60 * 1000;
const [desk, shop] = [newId(), newId()];

describe.each(storeKinds)('activity on %s', (kind) => {
  let store: Store & { dispose(): Promise<void> };
  beforeAll(async () => {
    store = await openTestStore(kind);
  });
  afterAll(() => store.dispose());
  let accountId: string;
  beforeEach(() => {
    accountId = newId();
  });

  const record = (fields: Partial<RequestRecord> = {}) => requestRecord({ request_id: newId(), at: now, account_id: accountId, ...fields });
  const send = (fields: Partial<RequestRecord> = {}) =>
    record({ method: 'POST', path: '/v1/messages/text', message_type: 'text', instance_id: desk, recipient: '491701234500', ...fields });
  /** Stores the records of each moment as the log would. */
  async function happened(...moments: readonly (readonly RequestRecord[])[]): Promise<void> {
    const rows = moments.flat().map(requestRow);
    for (let i = 0; i < rows.length; i += 1000)
      await store.db
        .insertInto('requests')
        .values(rows.slice(i, i + 1000))
        .execute();
  }
  const list = (filter: ActivityFilter = {}, page: { cursor?: Place | null; limit?: number } = {}) =>
    listActivity(store, accountId, filter, { cursor: null, limit: 100, now, ...page });
  /** Every page in turn; `between` happens after each. */
  async function everyPage(filter: ActivityFilter, limit: number, between: () => Promise<void> = async () => undefined) {
    const pages: (readonly SendRecord[])[] = [];
    let cursor: Place | null = null;
    do {
      const page = await list(filter, { cursor, limit });
      pages.push(page.sends);
      cursor = page.cursor;
      await between();
    } while (cursor !== null);
    return pages;
  }

  it('lists the sends of the account alone, newest first, whole', async () => {
    const sends = [
      send(),
      send({ status: 409, code: 'instance_not_connected', message_id: null }),
      send({ message_type: 'poll' }),
    ] as const;
    const stages = { admission: 0.1, validation: 0.2, claim: 0.3, media: null, network: 12.5, settle: 1 };
    const latest = send({ stages, message_id: 'ABC', idempotency: 'new', status: 200 });
    await happened([sends[0], record(), sends[1], send({ account_id: newId() })], [sends[2], record({ account_id: null })], [latest]);
    expect(await list()).toEqual({ sends: [latest, sends[2], sends[1], sends[0]], cursor: null, searchedBackTo: now });
    accountId = newId();
    expect(await list()).toEqual({ sends: [], cursor: null, searchedBackTo: null });
  });

  it('finds a send that the log was told a moment ago', async () => {
    const told = send();
    await logRequest(store, told);
    expect((await list()).sends).toEqual([told]);
  });

  it('finds a send that was answered a moment ago by its recipient and by its message', async () => {
    const sends = [send({ recipient: '491709990000' }), send({ message_id: '3EB0JUSTNOW' })] as const;
    store.hot.log(sends[0]);
    expect((await list({ recipient: '491709990000' })).sends).toEqual([sends[0]]);
    store.hot.log(sends[1]);
    expect((await list({ messageId: '3EB0JUSTNOW' })).sends).toEqual([sends[1]]);
  });

  it('counts by the hour how sends ended, whatever is logged together', async () => {
    const failed = send({ status: 422, code: 'invalid_recipient' });
    for (let i = 0; i < 1000; i++) store.hot.log(send({ at: now + i }));
    store.hot.log(failed);
    // What was answered from an earlier send, and what is no send.
    store.hot.log(send({ idempotency: 'replayed' }));
    store.hot.log(record());
    await store.hot.logged();
    store.hot.log({ ...failed, request_id: newId() });
    await store.hot.logged();
    const { db } = store;
    const rows = await db.selectFrom('send_outcomes').selectAll().where('account_id', '=', accountId).orderBy('code').execute();
    const hour = Math.floor(now / 3_600_000);
    expect(rows).toEqual([
      { hour, account_id: accountId, code: '', count: 1000 },
      { hour, account_id: accountId, code: 'invalid_recipient', count: 2 },
    ]);
  });

  it('filters by number, kind, outcome and recipient, all of them at once', async () => {
    const plain = send();
    const ofShop = send({ instance_id: shop });
    const poll = send({ message_type: 'poll' });
    const refused = send({ status: 422, code: 'invalid_recipient' });
    const limited = send({ status: 429, code: 'rate_limit_exceeded', instance_id: null, recipient: null });
    const elsewhere = send({ recipient: '491701234599' });
    const all = [plain, ofShop, poll, refused, limited, elsewhere];
    await happened(all);
    const found = async (filter: ActivityFilter) => (await list(filter)).sends.toReversed();
    expect(await found({})).toEqual(all);
    expect(await found({ instanceId: shop })).toEqual([ofShop]);
    expect(await found({ instanceId: shop.toUpperCase() })).toEqual([ofShop]);
    expect(await found({ messageType: 'poll' })).toEqual([poll]);
    expect(await found({ outcome: 'sent' })).toEqual([plain, ofShop, poll, elsewhere]);
    expect(await found({ outcome: 'failed' })).toEqual([refused, limited]);
    expect(await found({ outcome: 'rate_limit_exceeded' })).toEqual([limited]);
    expect(await found({ recipient: '491701234599' })).toEqual([elsewhere]);
    expect(await found({ recipient: '4917012345' })).toEqual([]);
    expect(await found({ instanceId: desk, messageType: 'text', outcome: 'failed', recipient: '491701234500' })).toEqual([refused]);
  });

  it('tells nothing that is older than 30 days, even before it is deleted', async () => {
    const [gone, last] = [send({ at: now - 30 * dayMs - 1 }), send({ at: now - 30 * dayMs })];
    await happened([send({ at: now - 31 * dayMs })], [gone, last]);
    expect((await list()).sends).toEqual([last]);
  });

  it('gives at most 100 at once', async () => {
    await happened(...Array.from({ length: 30 }, () => Array.from({ length: 10 }, () => send())));
    expect((await list({}, { limit: 1_000_000 })).sends).toHaveLength(100);
    expect((await everyPage({}, 1_000_000)).map((sends) => sends.length)).toEqual([100, 100, 100]);
    expect((await list({}, { limit: 0 })).sends).toHaveLength(1);
  });

  it('looks through some 10,000 sends for a page and goes on from there', async () => {
    const wanted = send({ message_type: 'poll', at: now - 5000 });
    await happened([wanted], ...Array.from({ length: 24 }, (_, i) => Array.from({ length: 500 }, () => send({ at: now - 100 + i }))));
    const first = await list({ messageType: 'poll' });
    expect(first).toEqual({ sends: [], cursor: expect.anything(), searchedBackTo: now - 100 + 3 });
    const second = await list({ messageType: 'poll' }, { cursor: first.cursor });
    expect(second).toEqual({ sends: [wanted], cursor: null, searchedBackTo: now - 5000 });
  });

  it('finds a recipient, a message and what failed in a long log without looking through it', async () => {
    const [before, after] = [{ recipient: '491700000001' }, { recipient: '491700000002' }];
    const wanted = send({ ...before, message_id: '3EB0WANTED', at: now - 60_000 });
    const refused = send({ ...before, status: 422, code: 'invalid_recipient', at: now - 50_000 });
    const elsewhere = send({ ...before, account_id: newId(), at: now - 40_000 });
    const ordinary = () => send({ recipient: '491701112233', at: now - 30_000 });
    await happened([wanted], [refused, elsewhere], ...Array.from({ length: 2000 }, () => [ordinary(), ordinary(), ordinary()]));
    const look = async () => {
      expect(await list(before)).toMatchObject({ sends: [refused, wanted], cursor: null });
      expect(await list({ messageId: '3EB0WANTED' })).toMatchObject({ sends: [wanted], cursor: null });
      expect(await list({ outcome: 'failed', instanceId: desk })).toMatchObject({ sends: [refused] });
      expect((await listActivity(store, null, before, { cursor: null, limit: 100, now })).sends).toEqual([elsewhere, refused, wanted]);
    };
    await look();
    expect(await list({ outcome: 'failed' })).toMatchObject({ sends: [refused], cursor: null });
    expect(await list({ outcome: 'upstream_unavailable' })).toMatchObject({ sends: [], cursor: null });
    await happened([send(after)]);
    expect((await list(after)).sends).toHaveLength(1);
    expect((await everyPage({ recipient: '491701112233' }, 100)).flat()).toHaveLength(6000);
  });

  it("tells nothing of another account's sends to the same recipient, not even when they were", async () => {
    await happened([send({ recipient: '491708880000', account_id: newId() })]);
    expect(await list({ recipient: '491708880000' })).toEqual({ sends: [], cursor: null, searchedBackTo: null });
  });

  it('has every send on exactly one page, while others are sent and whatever is asked for', async () => {
    const moment = fc.array(
      fc.record({
        message_type: fc.constantFrom('text', 'text', 'poll', null),
        code: fc.constantFrom(null, null, 'invalid_recipient', 'upstream_unavailable'),
        instance_id: fc.constantFrom(desk, shop),
        mine: fc.constantFrom(true, true, true, false),
      }),
      { minLength: 1, maxLength: 6 },
    );
    const filter = fc.record(
      {
        instanceId: fc.constantFrom(desk, shop),
        messageType: fc.constantFrom('text' as const, 'poll' as const),
        outcome: fc.constantFrom('sent' as const, 'failed' as const, 'invalid_recipient' as const),
      },
      { requiredKeys: [] },
    );
    const run = fc.asyncProperty(
      fc.array(moment, { maxLength: 80, size: 'max' }),
      filter,
      fc.integer({ min: 1, max: 30 }),
      async (log, filter, limit) => {
        accountId = newId();
        const moments = log.map((records) =>
          records.map(({ mine, ...fields }) =>
            send({ ...fields, account_id: mine ? accountId : newId(), status: fields.code === null ? 200 : 400 }),
          ),
        );
        await happened(...moments);
        const expected = moments
          .flat()
          .filter(
            (each) =>
              each.account_id === accountId &&
              each.message_type !== null &&
              (filter.instanceId ?? each.instance_id) === each.instance_id &&
              (filter.messageType ?? each.message_type) === each.message_type &&
              (filter.outcome !== 'sent' || each.code === null) &&
              (filter.outcome !== 'failed' || each.code !== null) &&
              (filter.outcome !== 'invalid_recipient' || each.code === 'invalid_recipient'),
          )
          .toReversed();
        const pages = await everyPage(filter, limit, () => happened([send({ instance_id: shop }), send({ instance_id: desk })]));
        expect(pages.flat().map((each) => each.request_id)).toEqual(expected.map((each) => each.request_id));
        expect(pages.slice(1).every((sends) => sends.length > 0)).toBe(true);
        // Only the last page may be short, since no run has more sends than a page looks through.
        expect(pages.slice(0, -1).every((sends) => sends.length === limit)).toBe(true);
      },
    );
    await fc.assert(run, { numRuns: 40 });
  });

  it("gives nothing of another account for a cursor of that account's", async () => {
    await happened([send(), send()], [send()]);
    const { cursor } = await list({}, { limit: 1 });
    const own = accountId;
    accountId = newId();
    expect(await list({}, { cursor })).toEqual({ sends: [], cursor: null, searchedBackTo: null });
    await happened([send()]);
    accountId = own;
    expect((await list({}, { cursor })).sends).toHaveLength(2);
  });

  it("finds one request of the account, of whatever kind, and nobody else's", async () => {
    const [own, other, stranger] = [record({ path: '/v1/instances' }), send({ account_id: newId() }), record({ account_id: null })];
    await happened([own, other, stranger]);
    expect(await findRequestOf(store, accountId, own.request_id)).toEqual(own);
    expect(await findRequestOf(store, accountId, own.request_id.toUpperCase())).toEqual(own);
    for (const id of [other.request_id, stranger.request_id, newId(), 'nonsense', '', "' or 1=1 --"])
      expect(await findRequestOf(store, accountId, id)).toBeUndefined();
  });

  it.each([
    ['requests_account', "message_type is not null and account_id = 'nobody'"],
    ['requests_failed_account', "message_type is not null and code is not null and account_id = 'nobody'"],
    ['requests_failed_instance', "message_type is not null and code is not null and instance_id = 'nobody'"],
    ['requests_recipient', "message_type is not null and recipient = 'nobody'"],
  ])('goes by the index %s, however many requests others have made', async (index, condition) => {
    const query = `select * from requests where ${condition} and (at, id) < (1, 1) order by at desc, id desc limit 25`;
    const plan = await store.transaction(async (trx) => {
      if (kind === 'sqlite') return sql.raw(`explain query plan ${query}`).execute(trx);
      // A small table is read whole whatever its indexes are.
      await sql`set local enable_seqscan = off`.execute(trx);
      // Otherwise it depends on whether PostgreSQL has just looked at the table by itself.
      await sql`analyze requests`.execute(trx);
      return sql.raw(`explain ${query}`).execute(trx);
    });
    expect(JSON.stringify(plan.rows)).toMatch(new RegExp(`${index}\\b`));
    expect(JSON.stringify(plan.rows)).not.toMatch(/TEMP B-TREE/);
  });
});
