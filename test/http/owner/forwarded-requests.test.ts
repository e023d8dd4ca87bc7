import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { Errands } from '../../../src/http/errands.ts';
import { registerRequestLog } from '../../../src/http/hooks/request-log.ts';
import { ForwardedRequests } from '../../../src/http/owner/forwarded-requests.ts';
import type { HotPath } from '../../../src/store/index.ts';
import { createManualClock } from '../../support/manual-clock.ts';

it('tells of a forwarded request by which protocol its caller came', async () => {
  const server = Fastify();
  const forwarded = new ForwardedRequests();
  const clock = createManualClock();
  server.decorate('errands', new Errands(server));
  registerRequestLog(server, { hot: {} as HotPath, clock }, forwarded);
  server.get('/protocol', async ({ protocol }) => protocol);
  const { handle } = forwarded.handler(server);
  const ask = (rest: object) =>
    handle({ method: 'GET', url: '/protocol', headers: {}, body: null, ...rest }, { requestId: null } as Parameters<typeof handle>[1]);
  expect(await ask({ https: true })).toMatchObject({ status: 200, body: 'https' });
  expect(await ask({ https: false })).toMatchObject({ status: 200, body: 'http' });
  // As a server of the release before asks.
  expect(await ask({})).toMatchObject({ status: 200, body: 'http' });
  await server.close();
});
