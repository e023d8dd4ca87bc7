export { createLinkMemory, type LinkMemory } from './link-memory.ts';
export { PeerTurns } from './peer-turns.ts';
export { createSending, type Sending, type SendingOptions } from './sending.ts';
