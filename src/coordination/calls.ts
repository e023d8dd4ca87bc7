import type { z } from 'zod';

/**
 * Something that a node does for another. What both say to each other must be JSON, and the schemas must take their own results again
 * (no transforms): the payload is parsed where it arrives, and so is the answer.
 */
export interface Method<Payload, Answer> {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  readonly answer: z.ZodType<Answer>;
}

/** Who asks, and how long the asker waits. */
export interface CallContext {
  /** The request on whose behalf the call is made; for the log. */
  readonly requestId: string | null;
  /** Milliseconds the caller waits from now on. What takes longer is still finished; nobody hears of its outcome. */
  readonly deadlineMs: number;
}

/** One method and its handler. A GatewayError that it throws is thrown at the caller; any other error stays in the log of this node. */
export interface Handler {
  readonly name: string;
  handle(payload: unknown, context: CallContext): Promise<unknown>;
}

/** Binds a method to what answers it. */
export function handler<Payload, Answer>(
  method: Method<Payload, Answer>,
  answer: (payload: Payload, context: CallContext) => Promise<Answer>,
): Handler {
  return {
    name: method.name,
    async handle(payload, context) {
      const parsed = method.payload.safeParse(payload);
      if (!parsed.success) throw new NotUnderstood(`the payload of ${method.name} is not as agreed: ${parsed.error.message}`);
      return answer(parsed.data, context);
    },
  };
}

/** The payload does not fit the method's schema; nothing was done. */
export class NotUnderstood extends Error {
  override readonly name = 'NotUnderstood';
}

interface CallOptions {
  /** How long the caller waits, in milliseconds. */
  readonly deadlineMs: number;
  readonly requestId?: string | null;
  /** Ends the wait, when the caller's own client has left; the callee finishes what it began. */
  readonly signal?: AbortSignal;
}

/** Calls between the nodes of an installation. */
export interface Calls {
  /**
   * Has another node (or this one) do something. Throws the GatewayError with which it refused, CallError when it did not answer, and the
   * signal's reason when the signal ended the wait.
   */
  call<Payload, Answer>(nodeId: string, method: Method<Payload, Answer>, payload: Payload, options: CallOptions): Promise<Answer>;
  /** Answers calls to this node. Ends with `close`, after which callers are told that nobody is there. */
  serve(nodeId: string, handlers: readonly Handler[]): Promise<Served>;
  /** Ends all waiting; calls under way end with CallError `closed`. */
  close(): Promise<void>;
}

export interface Served {
  /** Takes no further calls. Resolves when those under way have been answered. */
  close(): Promise<void>;
}

/** Why a call brought no answer, and whether the callee may have done what it was asked for. */
const callFailures = {
  /** No process answers to that node's id. */
  nobody_there: { done: 'no', message: 'no process answers to the id of that node' },
  /** This process cannot reach the others now. */
  unreachable: { done: 'no', message: 'the way to the other nodes is down' },
  /** Too many calls are under way, here or there. */
  busy: { done: 'no', message: 'too many calls are under way' },
  /** The payload is over the limit. */
  too_large: { done: 'no', message: 'the payload is over the size limit' },
  /** The callee does not know the method, or considers its payload malformed: another release. */
  not_understood: { done: 'no', message: 'the other node does not understand the call' },
  /** The callee failed unexpectedly; its log says how. */
  failed: { done: 'perhaps', message: 'the other node failed; its log has the reason' },
  /** Its answer was lost on the way, or the other node has given no sign of life for a while. */
  lost: { done: 'perhaps', message: 'the answer of the other node was lost' },
  /** No answer within the deadline. */
  timeout: { done: 'perhaps', message: 'the other node did not answer in time' },
  /** This node stops. */
  closed: { done: 'perhaps', message: 'this node stops' },
} as const;

export type CallFailure = keyof typeof callFailures;

/** A call that brought no answer. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly reason: CallFailure;

  constructor(reason: CallFailure, method: string) {
    super(`${method}: ${callFailures[reason].message}`);
    this.reason = reason;
  }

  /** `no`: the call may safely be made again, anywhere. `perhaps`: its outcome is unknown. */
  get done(): 'no' | 'perhaps' {
    return callFailures[this.reason].done;
  }
}

/** How many calls may be under way; beyond that a call fails with `busy` immediately. */
export interface CallBounds {
  /** Calls of this node. */
  readonly outgoing: number;
  /** Calls of this node to one other. */
  readonly outgoingToOne: number;
  /** Calls that this node is answering. */
  readonly incoming: number;
}

export const defaultCallBounds: CallBounds = { outgoing: 8000, outgoingToOne: 2000, incoming: 4000 };
