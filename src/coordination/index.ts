export { createHttpTransport, noteHeader } from './http-transport.ts';
export { createPeerKeys, type PeerKeys } from './peer-keys.ts';
export { askPeer, type PeerHandler, type PeerMethod, peerHandler, reachPeer } from './peer-methods.ts';
export { bodyHash, peerHeader, readPeerHeader, type Signed, signPeerRequest } from './peer-signature.ts';
export { misdirected, type Peer, type PeerAnswer, PeerError, type PeerRequest, Peers, type Transport } from './peers.ts';
export type { RateDecision, RateLimiter, SharedRateLimiter } from './rate-limiter.ts';
export { type SharedTime, sharedTime } from './shared-time.ts';
