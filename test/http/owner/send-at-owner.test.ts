import { expect, it } from 'vitest';
import { CallError, type Calls, type Method, NotUnderstood } from '../../../src/coordination/index.ts';
import { GatewayError, newMarks, OwnershipLost, StoreUnavailable } from '../../../src/core/index.ts';
import { here, nowhere, type Placement } from '../../../src/http/owner/placement.ts';
import { sendAtOwner } from '../../../src/http/owner/send-at-owner.ts';
import { allKinds } from '../../../src/kinds/index.ts';
import { resultOf, type Sender, type SendRequest } from '../../../src/messages/index.ts';
import { addressing, kindOf } from '../../kinds/bodies.ts';
import { createManualClock } from '../../support/manual-clock.ts';

type Call = (node: string, payload: unknown) => Promise<unknown>;

interface Parts {
  /** Where the number is, each time it is looked for; the last one stays. */
  readonly owners?: readonly string[];
  readonly sender?: Sender;
  readonly call?: Call;
}

/** One node's sending. */
function node({ owners = [here], sender = sent(), call = () => Promise.reject(new Error('nobody is called')) }: Parts) {
  const left = [...owners];
  const placement: Pick<Placement, 'of' | 'forget'> = {
    of: async () => (left.length > 1 ? left.shift() : left[0]) ?? null,
    forget: () => undefined,
  };
  const calls = {
    call: async (to: string, method: Method<unknown, unknown>, payload: unknown) => {
      const text = JSON.stringify(method.payload.parse(payload));
      return method.answer.parse(JSON.parse(JSON.stringify(await call(to, JSON.parse(text)))));
    },
  } as Partial<Calls> as Calls;
  return sendAtOwner({ sender, calls, placement: placement as Placement, clock: createManualClock() });
}

/** A sender that notes what it is asked for, and sends it. */
function sent(seen: SendRequest[] = [], messageId = 'THE-ID'): Sender {
  return async (request) => {
    seen.push(request);
    Object.assign(request.marks, { claimAt: 10, networkAt: 30, settleAt: 90 });
    return { result: resultOf(request, '491701234567', messageId, 'PENDING'), replayed: request.idempotencyKey === 'a-replayed-key' };
  };
}

function failing(error: Error): Sender {
  return () => Promise.reject(error);
}

/** What the owner with this sender answers to calls. */
function answeredBy(owner: Parts): Call {
  const { handler } = node(owner);
  return (_to, payload) => handler.handle(payload, { requestId: 'r', deadlineMs: 1000 });
}

function request(changes: Partial<SendRequest> = {}): SendRequest {
  return {
    kind: kindOf('text'),
    body: { ...addressing, text: 'Hello' },
    admission: { accountId: 'account', trialMessageLimit: null },
    requestId: 'r',
    idempotencyKey: null,
    ownBases: [],
    moving: false,
    caller: () => new AbortController().signal,
    marks: newMarks(performance.now()),
    ...changes,
  };
}

it('has the owner send every example of every kind as it would have been sent here', async () => {
  for (const kind of allKinds) {
    for (const example of Object.values(kind.examples)) {
      const body = kind.schema.parse({ ...addressing, quoted_message_id: 'Q', ...example });
      const seen: SendRequest[] = [];
      const asked = request({ kind, body, idempotencyKey: 'a-key-of-mine', ownBases: ['http://here'] });
      const terms = { accountId: 'account', trialMessageLimit: 5 };
      const { sender } = node({ owners: ['owner'], call: answeredBy({ sender: sent(seen) }) });
      const reply = await sender({ ...asked, admission: terms });
      expect(reply).toEqual({ result: resultOf(asked, '491701234567', 'THE-ID', 'PENDING'), replayed: false });
      expect(seen).toMatchObject([
        { body, admission: terms, requestId: 'r', idempotencyKey: 'a-key-of-mine', ownBases: ['http://here'], moving: true },
      ]);
      expect(seen[0]?.body).toEqual(body);
      expect(seen[0]?.kind).toBe(kind);
    }
  }
});

it('tells of a replay, and when the owner came to which stage', async () => {
  const asked = request({ idempotencyKey: 'a-replayed-key', marks: { ...newMarks(performance.now() - 1000), validationAt: 7 } });
  const { sender } = node({ owners: ['owner'], call: answeredBy({}) });
  expect(await sender(asked)).toMatchObject({ replayed: true });
  const { claimAt, networkAt, settleAt, mediaAt, validationAt } = asked.marks;
  expect(claimAt).toBeGreaterThan(1_000_000);
  expect([networkAt - claimAt, settleAt - claimAt, mediaAt, validationAt]).toEqual([20, 80, -1, 7]);
});

it('fails as the owner does, with the stages that it came to', async () => {
  const refusal = new GatewayError('trial_quota_exceeded', 'All 5 messages are used up.', { trial_message_limit: 5 });
  const owner: Sender = async ({ marks }) => {
    marks.claimAt = 5;
    throw refusal;
  };
  const asked = request();
  const { sender } = node({ owners: ['owner'], call: answeredBy({ sender: owner }) });
  await expect(sender(asked)).rejects.toMatchObject({ code: refusal.code, message: refusal.message, details: refusal.details });
  expect(asked.marks.claimAt).toBeGreaterThanOrEqual(5);
});

it('keeps a code of another release, and what nobody expected, from the caller', async () => {
  const marks = { claimAt: -1, mediaAt: -1, networkAt: -1, settleAt: -1 };
  const foreign = node({ owners: ['owner'], call: async () => ({ outcome: 'refused', code: 'of_tomorrow', message: '', marks }) });
  const refused = await foreign.sender(request()).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Error);
  expect(refused).not.toBeInstanceOf(GatewayError);
  const broken = node({ owners: ['owner'], call: () => Promise.reject(new CallError('failed', 'send')) });
  expect(await broken.sender(request()).catch((error: unknown) => error)).not.toBeInstanceOf(GatewayError);
});

it('looks for the owner again when the one it asked does not have the number', async () => {
  const asked: string[] = [];
  const owner = answeredBy({});
  const call: Call = async (to, payload) => {
    asked.push(to);
    return to === 'first' ? { outcome: 'moved' } : owner(to, payload);
  };
  const placement = { of: async () => (asked.length === 0 ? 'first' : 'second'), forget: () => undefined };
  const clock = createManualClock();
  const calls = { call: (to: string, _method: unknown, payload: unknown) => call(to, payload) } as Partial<Calls> as Calls;
  const { sender } = sendAtOwner({ sender: sent(), calls, placement: placement as Partial<Placement> as Placement, clock });
  const reply = sender(request());
  await clock.advanceAsync(1000);
  expect(await reply).toMatchObject({ replayed: false });
  expect(asked).toEqual(['first', 'second']);
});

/** What becomes of a send whose owner vanished with it, while this server has the number by now. */
async function afterLoss(idempotencyKey: string | null) {
  let owner = 'gone';
  const placement: Pick<Placement, 'of' | 'forget'> = {
    of: async () => owner,
    forget: () => {
      owner = here;
    },
  };
  const clock = createManualClock();
  const calls = { call: () => Promise.reject(new CallError('lost', 'send')) } as Partial<Calls> as Calls;
  const { sender } = sendAtOwner({ sender: sent(), calls, placement: placement as Placement, clock });
  const reply = sender(request({ idempotencyKey })).catch((error: unknown) => error);
  await clock.advanceAsync(1000);
  return reply;
}

it('sends a message again only when its key forbids a second one', async () => {
  expect(await afterLoss('a-key-of-mine')).toMatchObject({ result: { message_id: 'THE-ID' } });
  expect(await afterLoss(null)).toMatchObject({
    code: 'upstream_unavailable',
    message:
      'The server that holds the number did not answer. The request may have been done; a retry with the same Idempotency-Key cannot send twice.',
  });
});

it('sends again under another name, so that what the first try left behind is not taken for its own', async () => {
  const names: string[] = [];
  let tries = 0;
  const call: Call = async (_to, payload) => {
    names.push((payload as { tryId: string }).tryId);
    if (++tries === 1) throw new CallError('lost', 'send');
    return answeredBy({})('owner', payload);
  };
  const clock = createManualClock();
  const calls = { call: (to: string, _method: unknown, payload: unknown) => call(to, payload) } as Partial<Calls> as Calls;
  const placement = { of: async () => 'owner', forget: () => undefined } as Partial<Placement> as Placement;
  const { sender } = sendAtOwner({ sender: sent(), calls, placement, clock });
  const reply = sender(request({ idempotencyKey: 'a-key-of-mine' }));
  await clock.advanceAsync(1000);
  await reply;
  expect(names).toEqual(['r', expect.stringMatching(/^[0-9a-f-]{36}$/)]);
});

it('says that nothing was sent when the owner cannot ask its store where the number is', async () => {
  const away = { of: () => Promise.reject(new StoreUnavailable('the store is away')), forget: () => undefined };
  const owner = sendAtOwner({
    ...{ sender: sent(), calls: {} as Calls, clock: createManualClock() },
    placement: away as Partial<Placement> as Placement,
  });
  const call: Call = (_to, payload) => owner.handler.handle(payload, { requestId: 'r', deadlineMs: 1000 });
  const { sender } = node({ owners: ['owner'], call });
  await expect(sender(request())).rejects.toMatchObject({ code: 'upstream_unavailable', details: { reason: 'store_unavailable' } });
});

it('stops waiting for the owner when the caller has gone', async () => {
  const { sender } = node({ owners: ['owner'], call: () => Promise.reject(new Error('aborted')) });
  await expect(sender(request({ caller: () => AbortSignal.abort() }))).rejects.toMatchObject({ code: 'upstream_unavailable' });
});

/** A sender that finds the number lost so many times. */
function losing(times: number): Sender {
  let tries = 0;
  const send = sent();
  return (asked) => (++tries <= times ? Promise.reject(new OwnershipLost()) : send(asked));
}

it('has the new owner send when the number was lost before anything was sent, under a name of its own', async () => {
  const seen: SendRequest[] = [];
  const { sender } = node({ owners: [here, 'another'], sender: losing(1), call: answeredBy({ sender: sent(seen, 'OF-ANOTHER') }) });
  expect(await sender(request())).toMatchObject({ result: { message_id: 'OF-ANOTHER' } });
  // What the first try releases later must not be the claim of the second.
  expect(seen.map(({ requestId }) => requestId)).not.toContain('r');
});

it('sends itself when the number has come back, and gives up when it is lost again', async () => {
  expect(await node({ sender: losing(1) }).sender(request())).toMatchObject({ result: { message_id: 'THE-ID' } });
  await expect(node({ sender: losing(2) }).sender(request())).rejects.toThrow(OwnershipLost);
});

it('has the node that asked look again when the number is not here', async () => {
  expect(await answeredBy({ owners: ['another'] })('owner', payloadOfText())).toEqual({ outcome: 'moved' });
  expect(await answeredBy({ sender: losing(1) })('owner', payloadOfText())).toEqual({ outcome: 'moved' });
});

it('lets the sender say that there is no such number, and does not wait for one', async () => {
  const seen: SendRequest[] = [];
  await node({ owners: [nowhere], sender: sent(seen) }).sender(request());
  await answeredBy({ owners: [nowhere], sender: sent(seen) })('owner', payloadOfText());
  expect(seen.map(({ moving }) => moving)).toEqual([false, false]);
});

it('refuses what it does not understand, and leaves the unexpected to the log of calls', async () => {
  await expect(answeredBy({})('owner', { ...payloadOfText(), body: { ...addressing, text: '' } })).rejects.toThrow(NotUnderstood);
  await expect(answeredBy({})('owner', { ...payloadOfText(), type: 'telegram' })).rejects.toThrow(NotUnderstood);
  await expect(answeredBy({ sender: failing(new Error('unexpected')) })('owner', payloadOfText())).rejects.toThrow('unexpected');
});

function payloadOfText() {
  const { body, requestId, ownBases } = request();
  return { type: 'text', body, accountId: 'account', trialMessageLimit: null, tryId: requestId, idempotencyKey: null, ownBases };
}
