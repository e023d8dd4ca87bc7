/** A page of the docs site. */
export interface Page {
  /** Its address, without an ending. */
  readonly path: string;
  /** In the menu. */
  readonly title: string;
  /** The document it is made from; absent for what is made from docs/openapi.json. */
  readonly source?: string;
}
export interface Chapter {
  readonly title: string;
  readonly pages: readonly Page[];
}

const docs = (name: string, title: string): Page => ({ path: name, title, source: `docs/${name}.md` });

/** The chapters of the site, apart from the reference. Every document in docs/ stands here. */
export const chapters: readonly Chapter[] = [
  {
    title: 'Start',
    pages: [
      { path: 'index', title: 'Overview', source: 'README.md' },
      docs('server', 'A server on the internet'),
      docs('installing', 'Installing'),
      docs('platforms', 'Platforms'),
      docs('sandbox', 'Sandbox'),
      docs('faq', 'Questions and answers'),
    ],
  },
  {
    title: 'Coming from',
    pages: [
      docs('coming-from/evolution-api', 'Evolution API'),
      docs('coming-from/waha', 'WAHA'),
      docs('coming-from/wuzapi', 'wuzapi'),
      docs('coming-from/gowa', 'GOWA'),
      docs('import', 'Import without a scan'),
      docs('evolution', 'Paths of Evolution API'),
    ],
  },
  {
    title: 'Sending',
    pages: [
      docs('whatsapp', 'WhatsApp'),
      docs('media', 'Media'),
      { path: 'client', title: 'TypeScript client', source: 'packages/client/README.md' },
      { path: 'client-python', title: 'Python client', source: 'packages/client-python/README.md' },
      { path: 'client-php', title: 'PHP client', source: 'packages/client-php/README.md' },
      { path: 'n8n', title: 'n8n nodes', source: 'packages/n8n-nodes-messaging-gateway/README.md' },
      docs('mcp', 'Assistants'),
      docs('alerts', 'Alerts and webhooks'),
    ],
  },
  {
    title: 'Running',
    pages: [
      docs('operating', 'Operating'),
      docs('scaling', 'Several servers'),
      docs('metrics', 'Metrics'),
      docs('performance', 'Performance'),
      docs('security', 'Security'),
    ],
  },
  {
    title: 'Portal',
    pages: [docs('portal', 'Portal'), docs('customers', 'Customers'), docs('branding', 'Branding'), docs('audit', 'Audit log')],
  },
  {
    title: 'Project',
    pages: [
      docs('choices', 'Choices'),
      docs('architecture', 'Architecture'),
      { path: 'contributing', title: 'Contributing', source: 'CONTRIBUTING.md' },
      { path: 'vulnerabilities', title: 'Vulnerabilities', source: 'SECURITY.md' },
      { path: 'changelog', title: 'Changelog', source: 'CHANGELOG.md' },
    ],
  },
];
