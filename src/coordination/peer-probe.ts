import { newId } from '../core/index.ts';
import type { Peer, Peers } from './peers.ts';

const deadlineMs = 3_000;

/** Asks a server for a sign of life. Throws PeerError when there is none at its address. */
export async function reachPeer(peers: Peers, peer: Peer): Promise<void> {
  await peers.request(peer, { method: 'GET', path: '/health', headers: {}, body: null, requestId: newId(), https: false, deadlineMs });
}
