import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import Fastify, { type FastifyReply } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventStream } from '../../src/portal/live/event-stream.ts';
import { OpenStreams } from '../../src/portal/live/open-streams.ts';
import { findRequest } from '../../src/requests/index.ts';
import { openStream } from '../support/event-stream.ts';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { memberOf, type SignedIn } from '../support/portal.ts';
import { waitFor } from '../support/wait-for.ts';

describe('live streams of a gateway', () => {
  let gateway: TestGateway;
  let customer: Customer;
  let member: SignedIn;
  beforeEach(async () => {
    gateway = await startGateway();
    customer = await gateway.customer();
    member = await memberOf(gateway, customer.accountId);
  });
  afterEach(() => gateway.stop());

  it('end whole when it stops', async () => {
    const streams = await Promise.all([1, 2, 3].map(() => openStream(gateway, member)));
    for (const stream of streams) await stream.next('reset');
    await gateway.restart();
    expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual(['whole', 'whole', 'whole']);
    // Whatever happened meanwhile nobody here knows.
    const back = await openStream(gateway, member, { after: streams[0]?.lastEventId });
    expect((await back.next()).event).toBe('reset');
  });

  it('end for a client that does not read, while others are told on', async () => {
    const lazy = await openStream(gateway, member);
    const busy = await openStream(gateway, member);
    for (const stream of [lazy, busy]) await stream.next('reset');
    lazy.pause();
    const { feed } = gateway.app;
    // More than all buffers on the way hold, a little at a time.
    for (let told = 0; told < 60_000; ) {
      for (const end = told + 100; told < end; told++)
        feed.publish(customer.accountId, { type: 'instance_removed', instanceId: 'x'.repeat(300) });
      while (busy.events.length <= told) await turn();
    }
    lazy.resume();
    expect(await lazy.ended).toBe('broken');
    expect(lazy.events.length).toBeLessThan(60_000);
    busy.close();
  });

  it('are in the request log once their client has gone', async () => {
    const stream = await openStream(gateway, member);
    await stream.next('reset');
    const requestId = String(stream.headers['x-request-id']);
    stream.close();
    const record = await waitFor(() => findRequest(gateway.app.store, requestId));
    expect(record).toMatchObject({ method: 'GET', path: '/portal/api/events', status: 200, code: null });
  });

  it('do not hear of a client that went away', async () => {
    const stream = await openStream(gateway, member);
    await stream.next('reset');
    stream.close();
    await stream.ended;
    // All ten a session may have are free again.
    const opens = async () => {
      const streams = await Promise.all(Array.from({ length: 10 }, () => openStream(gateway, member)));
      for (const one of streams) one.close();
      return streams.map(({ status }) => status);
    };
    for (let i = 0; i < 3; i++) await expect.poll(opens).toEqual(Array.from({ length: 10 }, () => 200));
  });
});

describe('a stop', () => {
  it('does not wait for a client that has not read what was sent', async () => {
    const streams = new OpenStreams();
    const server = Fastify({ forceCloseConnections: 'idle' });
    const { promise: begun, resolve } = Promise.withResolvers<{ stream: EventStream; reply: FastifyReply }>();
    server.addHook('preClose', () => streams.stop());
    server.get('/', (_request, reply) => {
      resolve({ stream: streams.open({ person: 'somebody', scope: 'all' }, (closed) => new EventStream(reply, closed)), reply });
    });
    await server.listen({ port: 0 });
    const client = request({ port: (server.server.address() as AddressInfo).port, agent: false }).end();
    // biome-ignore lint/suspicious/noExplicitAny: once() does not know what an event brings
    const [response]: any[] = await once(client, 'response');
    response.pause();
    const { stream, reply } = await begun;
    // Until its connection takes no more; short of what would have it dropped at once.
    for (let sent = 0; reply.raw.writableLength < 100_000; sent++) {
      stream.send({ event: 'instance_removed', data: { instance_id: 'x'.repeat(10_000), account_id: String(sent) } }, '1');
      await turn();
    }
    expect(stream.ended).toBe(false);
    await server.close();
    expect(stream.ended).toBe(true);
    client.on('error', () => undefined).destroy();
  });

  it('ends what is opened after it began', async () => {
    const streams = new OpenStreams();
    const server = Fastify();
    server.get('/', (_request, reply) => {
      streams.open({ person: 'somebody', scope: 'all' }, (closed) => new EventStream(reply, closed));
    });
    await streams.stop();
    const answer = await server.inject('/');
    expect([answer.statusCode, answer.body]).toEqual([200, 'retry: 1000\n\n']);
    await server.close();
  });
});
