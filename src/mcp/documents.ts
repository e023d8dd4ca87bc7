import { readFile } from 'node:fs/promises';
import { programFile } from '../core/index.ts';

export interface Document {
  /** As documents link to each other: they all lie in one folder, as their files do. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
}

/** The documents that come with the program, docs/*.md. Only these names ever reach the file system. */
const titles = {
  sandbox: 'Sandbox',
  faq: 'Questions and answers',
  whatsapp: 'WhatsApp',
  media: 'Media',
  mcp: 'Assistants',
  alerts: 'Alerts and webhooks',
  portal: 'Portal',
  customers: 'Customers of a reseller',
  branding: 'Branding',
  audit: 'Audit log',
  server: 'A server on the internet',
  installing: 'Installing',
  platforms: 'Platforms',
  operating: 'Operating',
  scaling: 'Several servers',
  metrics: 'Metrics and logs',
  performance: 'Performance',
  security: 'Security',
  import: 'Numbers of other programs, without a scan',
  evolution: 'Paths of Evolution API',
  'coming-from/evolution-api': 'Coming from Evolution API',
  'coming-from/waha': 'Coming from WAHA',
  'coming-from/wuzapi': 'Coming from wuzapi',
  'coming-from/gowa': 'Coming from GOWA',
  choices: 'Choices',
  architecture: 'Architecture',
} as const;

export const documents: readonly Document[] = Object.entries(titles).map(([name, title]) => ({
  uri: `gateway://docs/${name}.md`,
  name: `${name}.md`,
  title,
}));

export function readDocument({ name }: Document): Promise<string> {
  return readFile(programFile(`../docs/${name}`), 'utf8');
}
