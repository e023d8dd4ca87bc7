import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Stages } from '../../src/core/index.ts';
import { findRequest, listActivity } from '../../src/requests/index.ts';
import type { RequestRecord } from '../../src/store/index.ts';
import { someBytes } from '../support/file-server.ts';
import type { Answer } from '../support/gateway.ts';
import { openSockets } from '../support/open-sockets.ts';
import { ScriptedNetwork } from '../support/scripted-network.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';
import { outcome } from './outcome.ts';

const to = '491701234500';

describe('what the request log tells of a send', () => {
  const network = new ScriptedNetwork();
  let id: string;
  const { gateway, files, customer } = useGateway({ overrides: { networks: () => [network] } });
  beforeAll(async () => {
    id = await newNumber();
    await network.link(id).pairs('491710000700');
    await customer.reaches(id, 'open');
  });
  const newNumber = async (): Promise<string> => (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
  const text = (fields: object = {}, headers?: Record<string, string>) =>
    customer.send('text', { instance_id: id, to, text: 'Hello', ...fields }, headers);
  const logged = (answer: Answer) => waitFor(() => findRequest(gateway.app.store, answer.body.request_id));
  /** Work that takes its time, and the milliseconds it took. */
  async function takingTime(): Promise<number> {
    const begin = performance.now();
    await gateway.call('GET', '/health');
    return performance.now() - begin;
  }
  /** The stages the send came to. */
  function reached({ stages }: RequestRecord): string {
    return Object.entries(stages ?? {})
      .filter(([, ms]) => ms !== null)
      .map(([name]) => name)
      .join(' ');
  }
  /** Fails unless the stages are parts of the whole. */
  function expectParts({ stages, duration_ms }: RequestRecord): Stages {
    if (stages === null) throw new Error('no stages');
    const times = Object.values(stages).filter((ms): ms is number => ms !== null);
    for (const ms of times) expect(ms).toBeGreaterThanOrEqual(0);
    const sum = times.reduce((sum, ms) => sum + ms, 0);
    // The whole is rounded to hundredths.
    expect(sum).toBeLessThanOrEqual(duration_ms + 0.01);
    return stages;
  }

  it('how long each stage took', async () => {
    let held = 0;
    network.link(id).answerSend = async () => {
      held = await takingTime();
      return { outcome: 'accepted', providerStatus: 'PENDING' };
    };
    const record = await logged(await text());
    expect(reached(record)).toBe('admission validation claim network settle');
    // The stage ends a little later than what it waits for, and is told to the microsecond.
    expect(expectParts(record).network).toBeGreaterThanOrEqual(held - 0.001);
    expect(record.stages?.settle).toBeLessThan(record.duration_ms - held);
  });

  it('how long the file took', async () => {
    let held = Number.NaN;
    const answer = async (response: ServerResponse) => {
      held = await takingTime();
      response.writeHead(200, { 'content-type': 'application/pdf' }).end(someBytes);
    };
    const url = files.serve('/slow.pdf', { answer: (response) => void answer(response) });
    const record = await logged(await customer.send('document', { instance_id: id, to, url }));
    expect(reached(record)).toBe('admission validation claim media network settle');
    expect(expectParts(record).media).toBeGreaterThanOrEqual(held - 0.001);
  });

  it('that a replay sent nothing', async () => {
    const key = { 'idempotency-key': 'trace-replayed' };
    expect(reached(await logged(await text({}, key)))).toBe('admission validation claim network settle');
    const replayed = await logged(await text({}, key));
    expect([replayed.idempotency, reached(replayed)]).toEqual(['replayed', 'admission validation claim']);
    expectParts(replayed);
  });

  it('even when its caller went away before the answer, at whichever server [log.hung-up]', async () => {
    for (const [place, { address }] of gateway.apps.entries()) {
      const recipient = `49170123460${place}`;
      const before = openSockets();
      const { hostname, port } = new URL(address);
      const socket = connect(Number(port), hostname);
      network.link(id).answerSend = async () => {
        socket.destroy();
        await waitFor(() => expect(openSockets()).toBeLessThanOrEqual(before));
        return { outcome: 'accepted', providerStatus: 'PENDING' };
      };
      const body = JSON.stringify({ instance_id: id, to: recipient, text: 'Hello' });
      socket.write(
        `POST /v1/messages/text HTTP/1.1\r\nhost: x\r\napikey: ${customer.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      const page = { cursor: null, limit: 100, now: Date.now() };
      const sends = await waitFor(async () => {
        const { sends } = await listActivity(gateway.app.store, customer.accountId, { recipient }, page);
        expect(sends).toHaveLength(1);
        return sends;
      });
      expect(sends[0]).toMatchObject({ status: 200, code: null, message_type: 'text', instance_id: id });
      expect(sends[0]?.message_id).toMatch(/^SCRIPTED/);
    }
  });

  const written = { to: '+49 (170) 123-4500' };
  const about = () => ({ message_type: 'text', instance_id: id, recipient: to, message_id: null });
  it.each<[string, () => Promise<Answer>, string, () => object]>([
    ['422 invalid_recipient', () => refusedByNetwork(), 'admission validation claim network settle', about],
    ['502 upstream_unavailable', () => lostByNetwork(), 'admission validation claim network settle', about],
    ['422 invalid_recipient', () => text({ to: '0049170' }), 'admission validation', () => ({ ...about(), recipient: null })],
    ['400 invalid_request', () => text({ ...written, text: '' }), 'admission validation', about],
    ['400 invalid_request', () => text({ ...written, instance_id: id.toUpperCase(), text: 1 }), 'admission validation', about],
    ['400 invalid_request', () => text({ ...written }, { 'idempotency-key': '?' }), 'admission validation', about],
    ['400 invalid_request', () => text({ instance_id: 'desk', to: [to] }), 'admission validation', () => ({ ...about(), ...nobody })],
    [
      '400 invalid_request',
      () => customer.call('POST', '/v1/messages/text', '[1'),
      'admission validation',
      () => ({ ...about(), ...nobody }),
    ],
    [
      '400 invalid_request',
      () => customer.call('POST', '/v1/messages/text', 'null'),
      'admission validation',
      () => ({ ...about(), ...nobody }),
    ],
    [
      '409 instance_not_connected',
      async () => text({ instance_id: await newNumber() }),
      'admission validation claim',
      () => ({ recipient: to }),
    ],
    ['400 invalid_media_url', () => image('http://10.0.0.1/x'), 'admission validation', () => ({ ...about(), message_type: 'image' })],
    [
      '422 media_fetch_failed',
      () => image(files.url('/nothing')),
      'admission validation claim media settle',
      () => ({ ...about(), message_type: 'image' }),
    ],
  ])('whom a send that failed with %s was for, and how far it came (%#)', async (expected, send, stages, fields) => {
    const answer = await send();
    expect(outcome(answer)).toBe(expected);
    const record = await logged(answer);
    expect(record).toMatchObject({ ...fields(), account_id: customer.accountId, code: answer.body.error.code });
    expect(reached(record)).toBe(stages);
    expectParts(record);
  });
  const nobody = { instance_id: null, recipient: null };
  const image = (url: string) => customer.send('image', { instance_id: id, to, url });
  function refusedByNetwork() {
    network.link(id).answerSend = async () => ({ outcome: 'refused', reason: 'not on the network' });
    return text();
  }
  function lostByNetwork() {
    network.link(id).answerSend = async () => ({ outcome: 'unknown' });
    return text({}, { 'idempotency-key': 'trace-lost' });
  }

  it('the kind of one that was not let in, before anybody read its body', async () => {
    const limited = await gateway.customer({ plan: await gateway.plan({ messagesPerMinute: 1 }) });
    const body = { instance_id: id, to, text: 'Hello' };
    await limited.send('poll', body);
    const answer = await limited.send('poll', body);
    expect(outcome(answer)).toBe('429 rate_limit_exceeded');
    const refused = await logged(answer);
    expect(refused).toMatchObject({ account_id: limited.accountId, message_type: 'poll', ...nobody });
    expect(reached(refused)).toBe('admission');
    const stranger = await logged(await gateway.call('POST', '/v1/messages/poll', { key: 'mgw_wrong', body }));
    expect(stranger).toMatchObject({ account_id: null, message_type: 'poll', ...nobody });
    expect(reached(stranger)).toBe('admission');
  });

  it('no stages of what is no send', async () => {
    const check = await customer.call('POST', '/v1/numbers/check', { instance_id: id, numbers: [to] });
    for (const answer of [check, await customer.call('GET', '/v1/instances'), await customer.call('GET', '/v1/messages/text')])
      expect(await logged(answer)).toMatchObject({ stages: null, message_type: null });
  });
});
