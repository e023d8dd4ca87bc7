export { PeerTurns } from '../library/peer-turns.ts';
export { beginWith, markMigrated } from './account-facts.ts';
export { KeptMessages, type SentStore } from './kept-messages.ts';
export { followMigration } from './lid-migration.ts';
export { createLinkMemory, type LinkMemory } from './link-memory.ts';
export { createSending, type Sending, type SendingOptions } from './sending.ts';
