import Fastify, { type InjectOptions } from 'fastify';
import { expect, it } from 'vitest';
import { noteHeader, PeerError, type Peers } from '../../../src/coordination/index.ts';
import { OwnershipLost } from '../../../src/core/index.ts';
import { registerErrors } from '../../../src/http/hooks/errors.ts';
import { forwardToOwner } from '../../../src/http/owner/forward.ts';
import type { Forwarded } from '../../../src/http/owner/incoming.ts';
import { writeNote } from '../../../src/http/owner/note.ts';
import { here, nowhere, type Placement } from '../../../src/http/owner/placement.ts';
import { newTrace, type Trace } from '../../../src/http/request.ts';
import { tryIdOf } from '../../../src/http/routes/send.ts';

const instanceId = '0190a000-0000-7000-8000-000000000001';

const peer = (id: string) => ({ id, address: `http://${id}` });

interface Parts {
  readonly placement: Pick<Placement, 'of' | 'forget'>;
  readonly request: Peers['request'];
  readonly forwarded?: Forwarded | null;
  /** What the endpoints do; by default they say that it was done here. */
  readonly work?: (names: string[]) => void;
}

/** A server with endpoints about numbers, its traces, and the names of the tries of sends. */
function numbersServer({ placement, request, forwarded = null, work = () => undefined }: Parts) {
  const traces: Trace[] = [];
  const names: string[] = [];
  const server = Fastify();
  for (const name of ['trace', 'forwarded', 'bodyText', 'moving', 'idempotencyKey'] as const) server.decorateRequest(name, null as never);
  server.decorateRequest('foundHere', 0);
  server.decorate('errorPage', () => null);
  server.addHook('onRequest', async (each) => {
    each.trace = { ...newTrace(performance.now()), accountId: 'account' };
    each.forwarded = forwarded;
    traces.push(each.trace);
  });
  const findOwner = forwardToOwner({ peers: { request }, placement: placement as Placement });
  registerErrors(server, { error: () => undefined }, findOwner);
  server.addHook('preHandler', findOwner);
  const answer = async () => {
    work(names);
    return 'done here';
  };
  server.post('/check', { config: { atOwner: 'body', onlyAsks: true } }, answer);
  server.get('/numbers/:id', { config: { atOwner: 'path' } }, answer);
  server.patch('/numbers/:id', { config: { atOwner: 'path' } }, answer);
  server.post(
    '/send',
    {
      config: { atOwner: 'body' },
      onRequest: async (each) => {
        each.trace.messageType = 'text';
        each.idempotencyKey = (each.headers['idempotency-key'] as string | undefined) ?? null;
      },
    },
    async (each) => {
      names.push(tryIdOf(each));
      work(names);
      return each.moving ? 'sent here' : 'nowhere';
    },
  );
  return { server, traces, names };
}

/** What becomes of a request whose owner vanished with it, while this server has the number by now. */
async function afterLoss(request: InjectOptions): Promise<string> {
  let owner: Awaited<ReturnType<Placement['of']>> = peer('gone');
  const placement: Pick<Placement, 'of' | 'forget'> = {
    of: async () => owner,
    forget: () => {
      owner = here;
    },
  };
  const { server } = numbersServer({ placement, request: () => Promise.reject(new PeerError('lost')) });
  const { body, statusCode } = await server.inject(request);
  await server.close();
  return statusCode === 200 ? body : JSON.parse(body).error.message;
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

it('sends a message again only when its key forbids a second one', async () => {
  const send = { method: 'POST', url: '/send', body } as const;
  expect(await afterLoss({ ...send, headers: { 'idempotency-key': 'a-key-of-mine' } })).toBe('sent here');
  expect(await afterLoss(send)).toBe(
    'The server that holds the number did not answer. The request may have been done; a retry may send twice.',
  );
});

const answered = (by: string) => ({
  ...{ status: 200, body: `done by ${by}` },
  headers: { [noteHeader]: writeNote({ ...newTrace(0), messageId: 'THE-ID', claimAt: 10, settleAt: 90 }) },
});

/** What this server finds each time it looks, while it loses the number as often as it begins to work on it, `times` times. */
async function afterMove(owners: readonly (string | null)[], { url = '/check', forwarded = null as Forwarded | null, times = 1 } = {}) {
  const left = [...owners];
  const placement: Pick<Placement, 'of' | 'forget'> = {
    of: async () => {
      const owner = left.length > 1 ? left.shift() : left[0];
      return owner == null || owner === here || owner === nowhere ? (owner ?? null) : peer(owner);
    },
    forget: () => undefined,
  };
  let tries = 0;
  const { server, traces, names } = numbersServer({
    ...{ placement, forwarded },
    request: async ({ id }) => (id === 'former' ? { status: 421, headers: {}, body: '' } : answered(id)),
    work() {
      if (++tries <= times) throw new OwnershipLost();
    },
  });
  const { statusCode, body: text } = await server.inject({ method: 'POST', url, body });
  await server.close();
  return { outcome: statusCode === 200 ? text : String(statusCode), trace: traces[0], names };
}

it('has the new owner answer a question whose number was lost meanwhile', async () => {
  expect((await afterMove([here, 'another'])).outcome).toBe('done by another');
});

it('answers it itself when the number has come back', async () => {
  expect((await afterMove([here])).outcome).toBe('done here');
});

const forwarded = { requestId: 'r', https: false } as Forwarded;

it('has the server that forwarded it look again', async () => {
  expect((await afterMove([here], { forwarded })).outcome).toBe('421');
  expect((await afterMove([here], { forwarded, url: '/send' })).outcome).toBe('421');
});

it('passes nothing on twice', async () => {
  expect((await afterMove(['another'], { forwarded })).outcome).toBe('421');
  expect((await afterMove([null], { forwarded })).outcome).toBe('421');
});

it('looks for the owner again when the one it asked does not have the number', async () => {
  expect((await afterMove(['former', 'another'])).outcome).toBe('done by another');
});

it('has the new owner send what was lost before it was sent, or sends itself under another name', async () => {
  const passedOn = await afterMove([here, 'another'], { url: '/send' });
  // It was not begun here once more.
  expect([passedOn.outcome, passedOn.names.length]).toEqual(['done by another', 1]);
  const { outcome, names } = await afterMove([here], { url: '/send' });
  expect([outcome, new Set(names).size]).toEqual(['sent here', 2]);
  expect((await afterMove([here], { url: '/send', times: 2 })).outcome).toBe('502');
});

it('lets the endpoint say that there is no such number', async () => {
  expect((await afterMove([nowhere], { url: '/send', times: 0 })).outcome).toBe('nowhere');
});

it('notes what the owner noted, at the times of its stages', async () => {
  const { trace } = await afterMove(['another'], { url: '/send' });
  expect(trace).toMatchObject({ messageId: 'THE-ID', mediaAt: -1 });
  const { claimAt = 0, settleAt = 0, answeredAt = 0 } = trace ?? {};
  expect(claimAt).toBeGreaterThan(10);
  expect(settleAt - claimAt).toBe(80);
  expect(answeredAt).toBeGreaterThan(0);
});
