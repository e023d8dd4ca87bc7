import { type Calls, type Handler, handler, NotUnderstood } from '../../coordination/index.ts';
import {
  type Clock,
  GatewayError,
  isErrorCode,
  newId,
  newMarks,
  normalisePhoneNumber,
  OwnershipLost,
  sinceStart,
} from '../../core/index.ts';
import { allKinds } from '../../kinds/index.ts';
import { resultOf, type Sender, type SendReply, type SendRequest } from '../../messages/index.ts';
import { asGatewayError } from '../hooks/errors.ts';
import { askOwner } from './ask-owner.ts';
import { type ForwardedSend, type ForwardedSendAnswer, forwardedSend, marksOf, takeMarks } from './forwarded-send.ts';
import type { Placement } from './placement.ts';
import { createOwnerSearch } from './search.ts';

interface SendAtOwnerOptions {
  /** Sends from the numbers of this node. */
  readonly sender: Sender;
  readonly placement: Placement;
  readonly calls: Calls;
  readonly clock: Clock;
}

interface SharedSending {
  /** Sends from the numbers of every node. */
  readonly sender: Sender;
  /** Sends from the numbers of this node, for the others. */
  readonly handler: Handler;
}

const kinds = new Map(allKinds.map((kind) => [kind.type, kind]));

/**
 * Makes a sender for the numbers of all nodes of an installation. The node that owns the number claims, sends and settles, since it alone may
 * write for it; the one that was asked does everything before and after. Throws what the sender of one node does; OwnershipLost also while the
 * number has no owner, and upstream_unavailable when its owner does not say what became of the send.
 */
export function sendAtOwner({ sender, placement, calls, clock }: SendAtOwnerOptions): SharedSending {
  const search = createOwnerSearch({ placement, clock });

  async function send(request: SendRequest): Promise<SendReply> {
    const { admission, body, idempotencyKey, marks, requestId } = request;
    // Each try has its own, so that what is left of an earlier one (a release that is still owed) cannot undo what a later one has claimed.
    let nextId = requestId;
    const takeId = () => {
      const id = nextId;
      nextId = newId();
      return id;
    };
    for (let isFirst = true; ; isFirst = false) {
      let askedAt = 0;
      const found = await search(admission.accountId, body.instance_id, {
        forwarded: false,
        ask(owner) {
          askedAt = sinceStart(marks);
          return askOwner(calls, owner, forwardedSend, {
            ...{ payload: payloadOf(request, takeId()), requestId, gone: request.caller() },
            // With a key it is found done, or goes out under the same message id; without one it would go out again.
            mayBeRepeated: idempotencyKey !== null,
            advice: '; a retry with the same Idempotency-Key cannot send twice',
          });
        },
      });
      if ('marks' in found) {
        takeMarks(marks, found.marks, askedAt);
        return replyOf(request, found);
      }
      try {
        // While it has no owner, only what was sent before can be told.
        return await sender({ ...request, requestId: takeId(), moving: found.outcome !== 'nowhere' });
      } catch (error) {
        // A send that finds its number lost has sent nothing: its new owner sends it, or this node when the number has come back.
        if (!(error instanceof OwnershipLost) || found.outcome !== 'here' || !isFirst) throw error;
      }
    }
  }

  async function sendForAnother(asked: ForwardedSend): Promise<ForwardedSendAnswer> {
    const request = requestOf(asked);
    try {
      const found = await search(asked.accountId, request.body.instance_id, { forwarded: true, ask: async () => null });
      if (found.outcome !== 'here' && found.outcome !== 'nowhere') return { outcome: 'moved' };
      const { result, replayed } = await sender({ ...request, moving: found.outcome === 'here' });
      const { message_id: messageId, provider_status: providerStatus } = result;
      return { outcome: 'sent', messageId, providerStatus, replayed, marks: marksOf(request.marks) };
    } catch (error) {
      if (error instanceof OwnershipLost) return { outcome: 'moved' };
      const known = asGatewayError(error);
      if (known === null) throw error;
      const { code, message, details } = known;
      return {
        outcome: 'refused',
        code,
        message,
        ...(details === undefined ? {} : { details: { ...details } }),
        marks: marksOf(request.marks),
      };
    }
  }

  return { sender: send, handler: handler(forwardedSend, sendForAnother) };
}

function payloadOf({ kind, body, admission, idempotencyKey, ownBases }: SendRequest, tryId: string): ForwardedSend {
  const { accountId, trialMessageLimit } = admission;
  return { type: kind.type, body, accountId, trialMessageLimit, tryId, idempotencyKey, ownBases: [...ownBases] };
}

/** The request as the node that was asked made it. Its caller waits there, and is not known to have gone here. */
function requestOf({ type, body, accountId, trialMessageLimit, tryId, idempotencyKey, ownBases }: ForwardedSend): SendRequest {
  const kind = kinds.get(type);
  const parsed = kind?.schema.safeParse(body);
  if (kind === undefined || parsed?.success !== true) throw new NotUnderstood(`the ${type} message is not as agreed`);
  return {
    ...{ kind, body: parsed.data, admission: { accountId, trialMessageLimit }, requestId: tryId, idempotencyKey, ownBases },
    moving: true,
    caller: () => new AbortController().signal,
    marks: newMarks(performance.now()),
  };
}

/** What the owner answered, as if it had been done here. Throws the GatewayError with which it was refused. */
function replyOf(request: SendRequest, answer: Exclude<ForwardedSendAnswer, { readonly outcome: 'moved' }>): SendReply {
  if (answer.outcome === 'sent') {
    const to = normalisePhoneNumber(request.body.to);
    if (to === null) throw new Error('a message was sent to what is no number');
    return { result: resultOf(request, to, answer.messageId, answer.providerStatus), replayed: answer.replayed };
  }
  const { code, message, details } = answer;
  // A code of another release, which this one could not answer with.
  if (!isErrorCode(code)) throw new Error(`a send was refused by its owner with a code that is not known here: ${code}`);
  throw new GatewayError(code, message, details);
}
