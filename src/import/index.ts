export { openBaileys } from './baileys.ts';
export { openEvolution } from './evolution.ts';
export type { Archive } from './found.ts';
export { importNumbers, type Mapping, planImport, type Summary } from './import.ts';
export { mostMappingBytes, readMapping } from './mapping.ts';
export { openWaha } from './waha.ts';
export { openWhatsmeow } from './whatsmeow.ts';
