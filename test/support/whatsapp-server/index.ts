export type { Person, ReceivedMessage, WhatsAppServer, WhatsAppServerOptions } from './api.ts';
export { startWhatsAppServer } from './server.ts';
