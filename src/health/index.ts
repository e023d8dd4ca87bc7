export { type Check, type Finding, fail, ok, reason, translated, warn } from './checks/check.ts';
export { dataFolder, nearlyFullBytes } from './checks/data-folder.ts';
export { machine, mediaTools } from './checks/machine.ts';
export { type MailProbe, mail } from './checks/mail.ts';
export { type ServersProbe, servers } from './checks/servers.ts';
export { droppedNumbers, openDatabase, pendingWrites, writesFailingMs, writing } from './checks/store.ts';
export { tls } from './checks/tls.ts';
export { whatsapp, whatsappVersion } from './checks/whatsapp.ts';
export { createHealth, type Health } from './health.ts';
