import { misdirected, type Peer, type PeerAnswer, PeerError, type PeerRequest, type Peers } from '../../coordination/index.ts';
import { GatewayError } from '../../core/index.ts';

/** Longer than any request takes: a file is fetched for 60 s, waits for its turn 60 s, and is handed over in 30 s. */
const deadlineMs = 170_000;

/** What a server answered that was asked for a number: `moved` when it is not the number's owner. */
export type OwnersAnswer = { readonly outcome: 'answered'; readonly answer: PeerAnswer } | { readonly outcome: 'moved' };

/** What is asked of the owner of a number. */
interface Asking extends Omit<PeerRequest, 'deadlineMs'> {
  readonly signal: AbortSignal;
  /** Doing it a second time does no harm. */
  readonly mayBeRepeated: boolean;
  /** What the caller is told besides when it is not known whether it was done. */
  readonly advice: string;
}

/**
 * Has the owner of a number answer a request. null when another may be asked: that server is not there, or what it may have done is not done a
 * second time. Throws upstream_unavailable when the caller has gone, and when the owner may have done it but did not answer.
 */
export async function askOwner(
  peers: Pick<Peers, 'request'>,
  owner: Peer,
  { mayBeRepeated, advice, ...request }: Asking,
): Promise<OwnersAnswer | null> {
  try {
    const answer = await peers.request(owner, { ...request, deadlineMs });
    return answer.status === misdirected ? { outcome: 'moved' } : { outcome: 'answered', answer };
  } catch (error) {
    if (request.signal.aborted) throw new GatewayError('upstream_unavailable', 'The caller went away before the answer.');
    if (!(error instanceof PeerError)) throw error;
    if (error.done === 'no' || (error.reason === 'lost' && mayBeRepeated)) return null;
    throw new GatewayError(
      'upstream_unavailable',
      `The server that holds the number did not answer. The request may have been done${advice}.`,
    );
  }
}
