export { openBaileys } from './baileys.ts';
export { openEvolution } from './evolution.ts';
export type { Archive } from './found.ts';
export { importNumbers, type Mapping, planImport, type Summary, summaryView } from './import.ts';
export { intoAccount, intoAccounts, mostMappingBytes } from './mapping.ts';
export { removeUploads, withUpload } from './upload/upload.ts';
export { openWaha } from './waha.ts';
export { openWhatsmeow } from './whatsmeow.ts';
