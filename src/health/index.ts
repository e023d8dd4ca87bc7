export { type Check, type Finding, fail, ok, reason, warn } from './checks/check.ts';
export { dataFolder } from './checks/data-folder.ts';
export { machine } from './checks/machine.ts';
export { mediaTools } from './checks/media-tools.ts';
export { openDatabase } from './checks/open-database.ts';
export { tls } from './checks/tls.ts';
export { whatsapp } from './checks/whatsapp.ts';
export { writing } from './checks/writing.ts';
export { createHealth, type Health } from './health.ts';
