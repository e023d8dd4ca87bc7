export { openBaileys } from './baileys.ts';
export type { Archive } from './found.ts';
export { importNumbers, type Mapping, planImport, type Summary } from './import.ts';
export { mostMappingBytes, readMapping } from './mapping.ts';
export { openWhatsmeow } from './whatsmeow.ts';
