export type { Person, ReceivedMessage, WhatsAppServer, WhatsAppServerOptions } from './api.ts';
export { ScanAgain } from './person.ts';
export { startWhatsAppServer } from './server.ts';
