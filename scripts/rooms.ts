/** What the files of a folder of src/ may import besides their own room. */
export interface Room {
  /** Rooms, each through its index.ts. */
  readonly rooms: readonly string[];
  /** Those of the reserved libraries that are used here. */
  readonly libraries?: readonly string[];
  /** Of these libraries the named exports only (a regular expression). */
  readonly exportsOf?: Readonly<Record<string, string>>;
  /** Folders beside this one, in the same room, that are not imported here. */
  readonly foldersNotUsed?: readonly string[];
  /** What these rooms keep apart, so that it is loaded only where it is used, is imported by its path. */
  readonly byPath?: true;
  /** SQL is written here: nowhere, in queries.ts and the folder queries/, or everywhere. */
  readonly sql?: 'queries' | 'everywhere';
}

/** Libraries that belong to the rooms which name them; all others may be used anywhere. */
export const reservedLibraries = [
  'fastify',
  '@fastify/*',
  'better-sqlite3',
  'pg',
  'mysql2/*',
  'ioredis',
  'baileys',
  'baileys/*',
  'libsignal',
  'libsignal/*',
  'commander',
  'better-auth',
  'better-auth/*',
  'nodemailer',
  'sharp',
  'libheif-js/*',
  'yauzl',
  'tar-stream',
  'file-type',
  'mime',
  'prom-client',
  'ipaddr.js',
  'qrcode',
  'standardwebhooks',
  'i18next',
  '@modelcontextprotocol/*',
  'whatsapp-test-server',
];

const ground = ['core', 'samples', 'kinds', 'networks', 'store', 'coordination'];
const nouns = ['requests', 'audit', 'people', 'accounts', 'usage'];

/**
 * The rooms of src/ and what each may import: dependencies point one way. A row for a part of a room, or for one file, stands after the row
 * of the room and replaces it. `npm run lint:rules` writes the lint rules that follow from this table (biome.rooms.json).
 */
export const rooms: Readonly<Record<string, Room>> = {
  core: { rooms: [] },
  language: { rooms: [], libraries: ['i18next'] },
  samples: { rooms: ['core'] },
  code: { rooms: [] },
  kinds: { rooms: ['core', 'samples'] },
  coordination: { rooms: ['core'] },
  'coordination/redis': { rooms: ['core'], libraries: ['ioredis'] },
  networks: { rooms: ['core', 'kinds'] },
  'networks/sandbox': { rooms: ['core', 'kinds', 'store'], sql: 'queries' },
  'networks/whatsapp/worker': { rooms: ['core', 'kinds'], libraries: ['baileys'] },
  // Within the worker: library ← sending ← lifecycle, encoding ← sending.
  'networks/whatsapp/worker/library': {
    rooms: ['core'],
    libraries: ['baileys', 'baileys/*', 'libsignal', 'libsignal/*'],
    foldersNotUsed: ['encoding', 'sending', 'lifecycle'],
  },
  'networks/whatsapp/worker/encoding': {
    rooms: ['core', 'kinds'],
    libraries: ['baileys'],
    foldersNotUsed: ['library', 'sending', 'lifecycle'],
  },
  'networks/whatsapp/worker/sending': {
    rooms: ['core', 'kinds'],
    libraries: ['baileys'],
    foldersNotUsed: ['lifecycle'],
  },
  'networks/whatsapp/worker/lifecycle': { rooms: ['core', 'kinds'], libraries: ['baileys'], foldersNotUsed: ['encoding'] },
  config: { rooms: ['core', 'networks'] },
  store: { rooms: ['core', 'kinds'], libraries: ['better-sqlite3', 'pg'], sql: 'everywhere' },
  health: { rooms: ['core', 'language', 'networks', 'store', 'config', 'outbox'], sql: 'queries' },
  outbox: { rooms: ['core', 'store'], sql: 'queries' },
  vault: { rooms: ['core', 'store'] },
  requests: { rooms: ['core', 'kinds', 'store'], sql: 'queries' },
  audit: { rooms: ['core', 'store'], sql: 'queries' },
  people: { rooms: ['core', 'language', 'store', 'audit'], sql: 'queries' },
  accounts: { rooms: [...ground, 'requests', 'audit', 'people'], sql: 'queries' },
  usage: { rooms: ['core', 'store', 'outbox', 'accounts'], sql: 'queries' },
  branding: { rooms: [...ground, 'audit', 'people', 'accounts'], sql: 'queries' },
  media: { rooms: ground, libraries: ['sharp', 'libheif-js/*', 'file-type', 'mime', 'ipaddr.js'] },
  sessions: { rooms: [...ground, 'language', 'outbox', ...nouns, 'media'], sql: 'queries' },
  messages: { rooms: [...ground, 'outbox', 'accounts', 'media', 'sessions'] },
  import: {
    rooms: [...ground, 'audit', 'accounts', 'sessions'],
    // The databases of other programs, and archives of their files.
    libraries: ['better-sqlite3', 'pg', 'mysql2/*', 'ioredis', 'yauzl', 'tar-stream'],
    sql: 'queries',
    byPath: true,
  },
  alerts: {
    rooms: [...ground, 'language', 'vault', 'outbox', ...nouns, 'branding', 'media', 'health'],
    libraries: ['standardwebhooks'],
    sql: 'queries',
  },
  metrics: { rooms: [...ground, 'outbox', 'accounts', 'media', 'sessions'], libraries: ['prom-client'] },
  http: {
    rooms: [...ground, 'code', ...nouns, 'branding', 'media', 'sessions', 'messages'],
    libraries: ['fastify', '@fastify/*', 'qrcode', 'ipaddr.js'],
  },
  compatibility: { rooms: ['core', 'kinds', 'store', 'http'], libraries: ['fastify'], sql: 'queries' },
  portal: {
    rooms: [...ground, 'language', ...nouns, 'alerts', 'branding', 'media', 'sessions', 'messages', 'import', 'http', 'health'],
    libraries: ['fastify', '@fastify/*', 'better-auth', 'better-auth/*', 'nodemailer'],
  },
  mcp: { rooms: ['core', 'store', 'messages', 'http'], libraries: ['fastify', '@modelcontextprotocol/*'], sql: 'queries' },
  cli: {
    rooms: [...ground, 'language', ...nouns, 'branding', 'alerts', 'media', 'sessions', 'messages', 'health', 'vault', 'config', 'import'],
    libraries: ['commander', 'qrcode'],
  },
  app: {
    rooms: [
      ...[...ground, 'language', 'config', 'vault', 'outbox', ...nouns, 'branding', 'media', 'sessions', 'messages', 'alerts'],
      ...['health', 'metrics', 'http', 'compatibility', 'portal', 'mcp', 'cli'],
    ],
    libraries: ['fastify'],
    byPath: true,
  },
};
