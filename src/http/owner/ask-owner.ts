import { CallError, type Calls, type Method } from '../../coordination/index.ts';
import { GatewayError } from '../../core/index.ts';

/** Longer than any request takes: a file is fetched for 60 s, waits for its turn 60 s, and is handed over in 30 s. */
const deadlineMs = 170_000;

/** What is asked of a node on behalf of a request. */
interface Asking<Payload> {
  readonly payload: Payload;
  readonly requestId: string;
  /** Aborted when the caller goes away. */
  readonly gone: AbortSignal;
  /** Doing it a second time does no harm. */
  readonly mayBeRepeated: boolean;
  /** What the caller is told besides when it is not known whether it was done. */
  readonly advice: string;
}

/**
 * Has a node do something for a request. null when another may be asked: the node is not there, could not be asked, or what it did is not done a
 * second time. Throws upstream_unavailable when the caller has gone, and when the node may have done it but did not answer.
 */
export async function askOwner<Payload, Answer>(
  calls: Calls,
  node: string,
  method: Method<Payload, Answer>,
  { payload, requestId, gone, mayBeRepeated, advice }: Asking<Payload>,
): Promise<Answer | null> {
  try {
    return await calls.call(node, method, payload, { deadlineMs, requestId, signal: gone });
  } catch (error) {
    if (gone.aborted) throw new GatewayError('upstream_unavailable', 'The caller went away before the answer.');
    if (!(error instanceof CallError)) throw error;
    // What nobody expected is in the log of that node, and is answered as if it had happened here.
    if (error.reason === 'failed') throw error;
    if (error.done === 'no' || (error.reason === 'lost' && mayBeRepeated)) return null;
    throw new GatewayError(
      'upstream_unavailable',
      `The server that holds the number did not answer. The request may have been done${advice}.`,
    );
  }
}
