import { beforeEach, describe, expect, it } from 'vitest';
import { updateAccount } from '../../src/accounts/index.ts';
import { newId } from '../../src/core/index.ts';
import { at } from '../support/act.ts';
import { followClock } from '../support/database-clock.ts';
import { type Answer, type Customer, startGateway } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { refusal } from '../support/refusal.ts';
import { anyStore } from '../support/run-options.ts';
import { ScriptedNetwork } from '../support/scripted-network.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

const contact = '491701234500';
const dayMs = 24 * 60 * 60 * 1000;

describe('the sandbox', () => {
  const clock = createManualClock();
  let customer: Customer;
  const { gateway } = useGateway({ overrides: { clock } });
  beforeEach(async () => {
    customer = await gateway.customer();
  });
  const create = async (of = customer) => (await of.call('POST', '/v1/instances', {})).body.data;
  const scan = (body: object, of = customer) => of.call('POST', '/sandbox/scan', body);
  const unlink = (phone_number: unknown, of = customer) => of.call('POST', '/sandbox/unlink', { phone_number });
  const text = (instance_id: string, to: string, words: string) => customer.send('text', { instance_id, to, text: words });

  it('lets a phone scan a code, its number written as people do [sandbox.scan]', async () => {
    const { instance_id, qrcode } = await create();
    const answer = await scan({ code: qrcode.code, phone_number: '+49 (171) 000-0900' });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ instance_id, phone_number: '491710000900' });
    await customer.reaches(instance_id, 'open');
    expect(await scan({ code: qrcode.code, phone_number: '491710000901' })).toMatchObject(
      refusal(400, 'invalid_request', { field: 'code' }),
    );
  });

  it.each([
    [{ phone_number: '491710000900' }, 'code'],
    [{ code: 7, phone_number: '491710000900' }, 'code'],
    [{ code: '', phone_number: '491710000900' }, 'code'],
    [{ code: 'no such code', phone_number: '491710000900' }, 'code'],
    [{ code: 'no such code' }, 'phone_number'],
    [{ code: 'no such code', phone_number: 'x' }, 'phone_number'],
    [{ code: 'no such code', phone_number: 491710000900 }, 'phone_number'],
  ])('refuses the scan %j [sandbox.scan]', async (body, field) => {
    await create();
    expect(await scan(body)).toMatchObject(refusal(400, 'invalid_request', { field }));
  });

  it('lets a phone unlink the gateway [sandbox.unlink]', async () => {
    const id = await customer.linked('491710000902');
    const answer = await unlink('+49 171 0000902');
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ instance_id: id });
    await customer.reaches(id, 'close');
    expect(await unlink('491710000902')).toMatchObject(refusal(404, 'instance_not_found'));
    for (const phone of [undefined, 7, 'x'])
      expect(await unlink(phone)).toMatchObject(refusal(400, 'invalid_request', { field: 'phone_number' }));
  });

  it('shows what a contact received, oldest first, as the recipient sees it [sandbox.messages]', async () => {
    const id = await customer.linked('491710000903');
    const sent = (await text(id, contact, 'one  \n')).body.data;
    await clock.advanceAsync(1500);
    const reply = { instance_id: id, to: contact, text: 'two', quoted_message_id: sent.message_id, quoted_from_me: true };
    const second = (await customer.send('text', reply)).body.data;
    await text(id, '491701234501', 'somebody else');
    const answer = await customer.call('GET', `/sandbox/messages?to=%2B49%20170%201234500`);
    const common = { from: '491710000903', to: contact, type: 'text' };
    expect(answer.body.data).toEqual({
      messages: [
        {
          ...common,
          message_id: sent.message_id,
          content: { text: 'one' },
          quoted: null,
          received_at: new Date(clock.now() - 1500).toISOString(),
        },
        {
          ...common,
          message_id: second.message_id,
          content: { text: 'two' },
          quoted: { message_id: sent.message_id, from_me: true },
          received_at: new Date(clock.now()).toISOString(),
        },
      ],
    });
  });

  it.each(['', '?to=', '?to=x', '?to=0', `?to=${contact}&to=${contact}`, `?contact=${contact}`])(
    'refuses /sandbox/messages%s [sandbox.messages]',
    async (query) => {
      expect(await customer.call('GET', `/sandbox/messages${query}`)).toMatchObject(refusal(400, 'invalid_request', { field: 'to' }));
    },
  );

  it('gives the numbers their meaning in sends', async () => {
    const id = await customer.linked('491710000904');
    expect(await text(id, '491701230000', 'x')).toMatchObject(refusal(422, 'invalid_recipient'));
    expect(await text(id, '491701230001', 'x')).toMatchObject(refusal(502, 'upstream_unavailable'));
    expect((await text(id, '491701230002', 'x')).body.data.to).toBe('491701230002');
    expect(await text(id, '491701230004', 'x')).toMatchObject(refusal(502, 'upstream_unavailable'));
    const received = async (to: string) => (await customer.received(to)).length;
    expect(await Promise.all(['491701230000', '491701230001', '491701230002', '491701230003', '491701230004'].map(received))).toEqual([
      0, 0, 0, 1, 1,
    ]);
  });

  it('keeps one message per message id: a retry after a lost acknowledgement is answered and shown once [sandbox.one-copy sandbox.0004]', async () => {
    const id = await customer.linked('491710000905');
    const send = () => customer.send('text', { instance_id: id, to: '491701230004', text: 'x' }, { 'idempotency-key': 'order-1042' });
    expect((await send()).status).toBe(502);
    const retried = await send();
    expect(retried.status).toBe(200);
    expect(await customer.received('491701230004')).toMatchObject([{ message_id: retried.body.data.message_id }]);
  });

  it('keeps the accounts apart: codes, phones and messages of one are nothing to the other [sandbox.accounts]', async () => {
    const other = await gateway.customer();
    const { instance_id, qrcode } = await create();
    expect(await scan({ code: qrcode.code, phone_number: '491710000906' }, other)).toMatchObject(refusal(400, 'invalid_request'));
    await scan({ code: qrcode.code, phone_number: '491710000906' });
    await customer.reaches(instance_id, 'open');
    expect(await unlink('491710000906', other)).toMatchObject(refusal(404, 'instance_not_found'));
    await text(instance_id, contact, 'mine');
    expect(await other.received(contact)).toEqual([]);
    expect(await customer.received(contact)).toHaveLength(1);
  });

  it('keeps the last 1,000 messages of an account [sandbox.kept]', async () => {
    const id = await customer.linked('491710000907');
    const rows = Array.from({ length: 1000 }, (_, i) => ({
      account_id: customer.accountId,
      message_id: `old ${i}`,
      from_number: '491710000907',
      to_number: contact,
      type: 'text',
      content: '{}',
      quoted: null,
      received_at: clock.now(),
    }));
    await gateway.app.store.db.insertInto('sandbox_messages').values(rows).execute();
    const ids = async () => (await customer.received(contact)).map(({ message_id }) => message_id);
    expect((await ids()).length).toBe(1000);
    const sent = await text(id, contact, 'new');
    await text(id, '491701234501', 'to somebody else, but counted');
    const kept = await ids();
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([999, 'old 2', sent.body.data.message_id]);
  });

  describe('pages of what a contact received', () => {
    const page = async (query = '') => customer.call('GET', `/sandbox/messages?to=${contact}${query}`);
    const ids = (answer: Answer) => answer.body.data.messages.map(({ message_id }: { message_id: string }) => message_id);
    /** Messages `m0`, `m1` … with texts of this length. */
    const receive = (count: number, length = 1) => {
      const rows = Array.from({ length: count }, (_, i) => ({
        account_id: customer.accountId,
        message_id: `m${i}`,
        from_number: '491710000907',
        to_number: contact,
        type: 'text',
        content: JSON.stringify({ text: 'x'.repeat(length) }),
        quoted: null,
        received_at: clock.now(),
      }));
      return gateway.app.store.db.insertInto('sandbox_messages').values(rows).execute();
    };

    it('are the newest, or those before or after a message, always oldest first [sandbox.messages]', async () => {
      await receive(6);
      expect(await page()).toMatchObject({ status: 200 });
      expect((await page()).body.data).not.toHaveProperty('has_more');
      const asked = async (query: string) => {
        const answer = await page(query);
        return [ids(answer), answer.body.data.has_more];
      };
      expect(await asked('&limit=2')).toEqual([['m4', 'm5'], true]);
      expect(await asked('&limit=6')).toEqual([['m0', 'm1', 'm2', 'm3', 'm4', 'm5'], undefined]);
      expect(await asked('&limit=2&before=m4')).toEqual([['m2', 'm3'], true]);
      expect(await asked('&limit=2&before=m2')).toEqual([['m0', 'm1'], undefined]);
      expect(await asked('&before=m0')).toEqual([[], undefined]);
      expect(await asked('&limit=2&after=m1')).toEqual([['m2', 'm3'], true]);
      expect(await asked('&limit=2&after=m3')).toEqual([['m4', 'm5'], undefined]);
      expect(await asked('&after=m5')).toEqual([[], undefined]);
    });

    it.each([
      ['&limit=0', 'limit'],
      ['&limit=1001', 'limit'],
      ['&limit=-1', 'limit'],
      ['&limit=1.5', 'limit'],
      ['&limit=', 'limit'],
      ['&limit=1&limit=2', 'limit'],
      ['&before=unknown', 'before'],
      ['&after=unknown', 'after'],
      ['&after=', 'after'],
      ['&after=m0&before=m1', 'after'],
    ])('refuse %s', async (query, field) => {
      await receive(2);
      expect(await page(query)).toMatchObject(refusal(400, 'invalid_request', { field }));
    });

    it("do not begin at another account's message", async () => {
      await receive(1);
      const other = await gateway.customer();
      expect(await other.call('GET', `/sandbox/messages?to=${contact}&after=m0`)).toMatchObject(refusal(400, 'invalid_request'));
    });

    it('hold fewer messages when these are large, and together all of them [sandbox.messages]', async () => {
      await receive(1000, 4096);
      const first = await page();
      expect(JSON.stringify(first.body).length).toBeLessThan(600_000);
      expect(ids(first).at(-1)).toBe('m999');
      let collected = ids(first);
      for (let answer = first; answer.body.data.has_more; collected = [...ids(answer), ...collected]) {
        answer = await page(`&before=${ids(answer)[0]}`);
      }
      expect(collected).toEqual(Array.from({ length: 1000 }, (_, i) => `m${i}`));
    });

    it('have a budget of their own, far above what polling for a message needs [sandbox.limits]', async () => {
      const answers: Answer[] = [];
      // Not all at once: that many connections have bounds of their own.
      for (let round = 0; round < 24; round++) answers.push(...(await Promise.all(Array.from({ length: 50 }, () => page('&limit=1')))));
      answers.push(await page('&limit=1'));
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(1);
      expect(refused[0]).toMatchObject(refusal(429, 'rate_limit_exceeded', { scope: 'sandbox', limit_per_minute: 1200 }));
      const headers = (name: string) => answers[0]?.headers.get(`x-ratelimit-${name}`);
      expect([headers('scope'), headers('limit'), headers('reset')]).toEqual(['sandbox', '1200', '60']);
      expect((await customer.call('GET', '/v1/instances')).headers.get('x-ratelimit-remaining')).toBe('119');
      clock.advance(60_000);
      expect((await page()).status).toBe(200);
    });
  });

  it('needs a key, but no plan, and no rate limit to play the phone [sandbox.limits]', async () => {
    const paths: [string, string, object?][] = [
      ['POST', '/sandbox/scan', {}],
      ['POST', '/sandbox/unlink', {}],
      ['GET', `/sandbox/messages?to=${contact}`],
    ];
    for (const [method, path, body] of paths) {
      expect(await gateway.call(method, path, { body })).toMatchObject(refusal(401, 'missing_api_key'));
      expect(await gateway.call(method, path, { body, key: 'mgw_wrong' })).toMatchObject(refusal(401, 'invalid_api_key'));
    }
    const { qrcode } = await create();
    await updateAccount(gateway.app.store, customer.accountId, { plan: null }, at(clock.now()));
    expect((await scan({ code: qrcode.code, phone_number: '491710000909' })).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 150 }, () => unlink('491710000000')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    expect([...(answers[0]?.headers.keys() ?? [])].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    await updateAccount(gateway.app.store, customer.accountId, { status: 'suspended' }, at(clock.now()));
    expect(await customer.call('GET', `/sandbox/messages?to=${contact}`)).toMatchObject(refusal(403, 'account_suspended'));
  });

  it('has no endpoints when it is not enabled [sandbox.enabled]', async () => {
    const other = await startGateway(anyStore, { overrides: { networks: () => [new ScriptedNetwork()] } });
    try {
      const { key } = await other.customer();
      const unknown = (await other.call('GET', `/${newId()}`, { key })).body.error;
      for (const [method, path] of [
        ['POST', '/sandbox/scan'],
        ['POST', '/sandbox/unlink'],
        ['GET', `/sandbox/messages?to=${contact}`],
      ] as const) {
        const answer = await other.call(method, path, {
          key,
          ...(method === 'POST' ? { body: { code: 'x', phone_number: contact } } : {}),
        });
        expect(answer).toMatchObject(refusal(404, 'not_found'));
        expect(answer.body.error).toEqual(unknown);
      }
    } finally {
      await other.stop();
    }
  });

  // The last one: a week on the database's clock ends the leases of several servers.
  it('keeps messages for 7 days [sandbox.kept]', async () => {
    const id = await customer.linked('491710000908');
    await text(id, contact, 'x');
    const pass = async (ms: number) => {
      clock.advance(ms);
      await followClock(gateway.app.store, clock);
    };
    // PostgreSQL's clock runs on by itself.
    const shortly = anyStore === 'sqlite' ? 1 : 60_000;
    await pass(7 * dayMs - shortly);
    expect(await customer.received(contact)).toHaveLength(1);
    await waitFor(async () => {
      // The servers look at that clock once a minute.
      await pass(shortly);
      expect(await customer.received(contact)).toEqual([]);
    });
  });
});
