export { PeerTurns } from '../library/peer-turns.ts';
export { beginWith } from './account-facts.ts';
export { KeptMessages, type SentStore } from './kept-messages.ts';
export { createLinkMemory, type LinkMemory } from './link-memory.ts';
export { followSaidOnce, learnSaidOnce, saidOnceRecords } from './said-once.ts';
export { createSending, type Sending, type SendingOptions } from './sending.ts';
