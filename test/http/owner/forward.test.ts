import Fastify, { type InjectOptions } from 'fastify';
import { expect, it } from 'vitest';
import { CallError, type Calls } from '../../../src/coordination/index.ts';
import { OwnershipLost } from '../../../src/core/index.ts';
import { registerErrors } from '../../../src/http/hooks/errors.ts';
import { forwardToOwner } from '../../../src/http/owner/forward.ts';
import type { Forwarded } from '../../../src/http/owner/forwarded-requests.ts';
import { here, type Placement } from '../../../src/http/owner/placement.ts';
import { newTrace } from '../../../src/http/request.ts';

const instanceId = '0190a000-0000-7000-8000-000000000001';

/** What becomes of a request whose owner vanished with it, while this server has the number by now. */
async function afterLoss(request: InjectOptions): Promise<string> {
  let owner = 'gone';
  const placement: Pick<Placement, 'of' | 'forget'> = {
    of: async () => owner,
    forget: () => {
      owner = here;
    },
  };
  const calls: Pick<Calls, 'call'> = { call: () => Promise.reject(new CallError('lost', 'request')) };
  const server = Fastify();
  for (const name of ['trace', 'forwarded', 'bodyText', 'moving'] as const) server.decorateRequest(name, null as never);
  server.decorateRequest('foundHere', 0);
  server.addHook('onRequest', async (each) => {
    each.trace = { ...newTrace(0), accountId: 'account' };
  });
  server.addHook('preValidation', forwardToOwner({ calls: calls as Calls, placement: placement as Placement }));
  server.setErrorHandler((error: Error) => error.message);
  server.post('/check', { config: { atOwner: 'body', onlyAsks: true } }, async () => 'done here');
  server.get('/numbers/:id', { config: { atOwner: 'path' } }, async () => 'done here');
  server.patch('/numbers/:id', { config: { atOwner: 'path' } }, async () => 'done here');
  const { body } = await server.inject(request);
  await server.close();
  return body;
}

const body = { instance_id: instanceId };

it('asks another owner for what may be done twice', async () => {
  expect(await afterLoss({ method: 'GET', url: `/numbers/${instanceId}` })).toBe('done here');
  expect(await afterLoss({ method: 'POST', url: '/check', body })).toBe('done here');
});

it('says of the rest that it may have been done', async () => {
  expect(await afterLoss({ method: 'PATCH', url: `/numbers/${instanceId}`, body: {} })).toBe(
    'The server that holds the number did not answer. The request may have been done.',
  );
});

/** A question that this server begins to answer and loses the number of, as it finds that number before and afterwards. */
async function afterMove(owners: readonly string[], forwarded: Forwarded | null = null): Promise<string> {
  const left = [...owners];
  const placement: Pick<Placement, 'of' | 'forget'> = { of: async () => left.shift() ?? 'unexpected', forget: () => undefined };
  const notes = { code: null, errorMessage: null, instanceId: null };
  const calls = { call: async (node: string) => ({ outcome: 'answered', status: 200, headers: {}, body: `done by ${node}`, notes }) };
  const server = Fastify();
  for (const name of ['trace', 'forwarded', 'bodyText', 'moving'] as const) server.decorateRequest(name, null as never);
  server.decorateRequest('foundHere', 0);
  server.addHook('onRequest', async (each) => {
    each.trace = { ...newTrace(0), accountId: 'account' };
    each.forwarded = forwarded;
  });
  const findOwner = forwardToOwner({ calls: calls as Partial<Calls> as Calls, placement: placement as Placement });
  registerErrors(server, { error: () => undefined }, findOwner);
  server.addHook('preValidation', findOwner);
  let tries = 0;
  server.post('/check', { config: { atOwner: 'body', onlyAsks: true } }, async () => {
    if (++tries === 1) throw new OwnershipLost();
    return 'done here';
  });
  const { statusCode, body: text } = await server.inject({ method: 'POST', url: '/check', body });
  await server.close();
  return statusCode === 200 ? text : String(statusCode);
}

it('has the new owner answer a question whose number was lost meanwhile', async () => {
  expect(await afterMove([here, 'another'])).toBe('done by another');
});

it('answers it itself when the number has come back', async () => {
  expect(await afterMove([here, here])).toBe('done here');
});

it('has the server that forwarded it look again', async () => {
  const forwarded: Forwarded = { requestId: 'r', https: false, notes: null, moved: false };
  expect(await afterMove([here], forwarded)).toBe('502');
  expect(forwarded.moved).toBe(true);
});
