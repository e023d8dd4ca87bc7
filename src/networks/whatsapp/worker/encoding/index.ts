export type { WhatsAppContext, WhatsAppMedia, WhatsAppMessage } from './encoded-message.ts';
export { encode } from './encoders.ts';
