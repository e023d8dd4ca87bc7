export { createWhatsAppNetwork, type WhatsAppOptions } from './whatsapp-network.ts';
