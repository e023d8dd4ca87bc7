import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LinkOutcome } from '../../src/networks/index.ts';
import { type Answer, type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { type ScriptedLink, ScriptedNetwork } from '../support/scripted-network.ts';
import { waitFor } from '../support/wait-for.ts';
import { outcome } from './outcome.ts';

const mostWaiting = 64;
const headers = { 'idempotency-key': 'order-1042' };

describe('requests that wait for another with their Idempotency-Key', () => {
  let clock: ManualClock;
  let gateway: TestGateway;
  let customer: Customer;
  let link: ScriptedLink;
  let body: { instance_id: string; to: string; text: string };
  beforeEach(async () => {
    clock = createManualClock();
    const network = new ScriptedNetwork();
    gateway = await startGateway('sqlite', { env: { COMPATIBILITY: 'evolution' }, overrides: { clock, networks: () => [network] } });
    customer = await gateway.customer();
    const instance_id = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
    link = network.link(instance_id);
    await link.pairs('491710000700');
    await customer.reaches(instance_id, 'open');
    body = { instance_id, to: '491701234567', text: 'Hello' };
  });
  afterEach(() => gateway.stop());

  /** Makes the network keep the first message until it is told what becomes of it; later ones are accepted. */
  function holdFirst(): (outcome: LinkOutcome) => void {
    const { promise, resolve } = Promise.withResolvers<LinkOutcome>();
    link.answerSend = () => {
      link.answerSend = async () => ({ outcome: 'accepted', providerStatus: null });
      return promise;
    };
    return resolve;
  }
  const send = () => customer.send('text', body, headers);
  const said = (answer: Answer) => `${outcome(answer)} ${answer.headers.get('idempotency-replayed')}`;
  const handedOver = (times: number) => waitFor(() => expect(link.sent).toHaveLength(times));
  /** Sends, and resolves when the request waits, with the answer to come. */
  async function waits(): Promise<{ answer: Promise<Answer> }> {
    const before = clock.pending;
    const answer = send();
    await waitFor(() => expect(clock.pending).toBeGreaterThan(before));
    return { answer };
  }

  it('are at most 64: one more is told at once that the message is still being sent [idem.waiting]', async () => {
    const end = holdFirst();
    const first = send();
    await handedOver(1);
    const duplicates = Array.from({ length: mostWaiting + 6 }, send);
    const answered: string[] = [];
    for (const duplicate of duplicates) void duplicate.then((answer) => answered.push(said(answer)));
    await waitFor(() => expect(answered).toEqual(Array(6).fill('502 upstream_unavailable false')));
    end({ outcome: 'accepted', providerStatus: null });
    expect(said(await first)).toBe('200 false');
    await Promise.all(duplicates);
    expect(answered.slice(6)).toEqual(Array(mostWaiting).fill('200 true'));
    expect(link.sent).toHaveLength(1);
    expect(said(await send())).toBe('200 true');
  });

  it.each([
    ['', () => ['/v1/messages/text', body] as const],
    [' on a path of Evolution API', () => [`/message/sendText/${body.instance_id}`, { number: body.to, text: body.text }] as const],
  ])('send nothing when their caller has hung up meanwhile%s [idem.waiting]', async (_, asked) => {
    const [path, waiting] = asked();
    const end = holdFirst();
    const first = send();
    await handedOver(1);
    const caller = request(`${gateway.address}${path}`, {
      method: 'POST',
      headers: { ...headers, apikey: customer.key, 'content-type': 'application/json' },
    });
    caller.on('error', () => undefined);
    const before = clock.pending;
    caller.end(JSON.stringify(waiting));
    await waitFor(() => expect(clock.pending).toBeGreaterThan(before));
    caller.destroy();
    await waitFor(async () => expect(await logged()).toContainEqual(['POST', 502]));
    end({ outcome: 'not_sent' });
    expect(said(await first)).toBe('502 upstream_unavailable false');
    expect(link.sent).toHaveLength(1);
    expect(said(await send())).toBe('200 false');
    expect(link.sent).toHaveLength(2);
  });

  it.each([0, -3_600_000, 3_600_000])('give up after a minute, also when the calendar is set by %i ms meanwhile', async (ms) => {
    link.answerSend = () => new Promise(() => undefined);
    const answers: string[] = [];
    const note = (answer: Promise<Answer>) => void answer.then((done) => answers.push(done.body.error.message));
    note(send());
    await handedOver(1);
    await clock.advanceAsync(10_000);
    for (let i = 0; i < 3; i++) note((await waits()).answer);
    clock.setCalendar(ms);
    // Each of the first three is given up by the network after 30 s, and the next takes over.
    await clock.advanceAsync(20_000);
    await handedOver(2);
    await clock.advanceAsync(30_000);
    await handedOver(3);
    expect(answers).toHaveLength(2);
    await clock.advanceAsync(9_999);
    expect(answers).toHaveLength(2);
    await clock.advanceAsync(1);
    await waitFor(() => expect(answers).toHaveLength(3));
    expect(answers[2]).toContain('still being sent');
    await clock.advanceAsync(30_000);
    await waitFor(() => expect(answers).toHaveLength(4));
    expect(link.sent).toHaveLength(3);
    expect(new Set(link.sent.map(({ messageId }) => messageId)).size).toBe(1);
  });

  /** Method and status of what the request log has of the customer. */
  async function logged(): Promise<unknown[]> {
    const requests = gateway.app.store.db.selectFrom('requests').select(['method', 'status']).where('account_id', '=', customer.accountId);
    return (await requests.orderBy('id').execute()).map(({ method, status }) => [method, status]);
  }
});
