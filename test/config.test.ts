import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { nodeUrl } from '../src/app/cluster.ts';
import { type Config, readConfig, settings, sharedSettings } from '../src/config/index.ts';
import { certificates } from './cli/certificates.ts';

const none: Config = {
  host: '127.0.0.1',
  port: 3000,
  dataDir: resolve('data'),
  databaseUrl: null,
  redisUrl: null,
  nodeUrl: null,
  durability: 'full',
  networks: ['whatsapp', 'sandbox'],
  whatsapp: {
    workers: Math.max(1, Math.min(64, availableParallelism() - 1)),
    url: null,
    rootKey: null,
    caFile: null,
    retryKeepHours: 72,
    version: null,
    versionUrl: 'https://web.whatsapp.com/sw.js',
  },
  secretKey: null,
  publicUrl: null,
  tls: null,
  mail: null,
  trustProxy: [],
  media: { allowHosts: [], maxBytes: 104_857_600 },
  alertErrorRate: 0.1,
  idempotency: true,
  compatibility: null,
  mcp: true,
  metrics: null,
  stopDelayMs: 0,
  logLevel: 'info',
  logFormat: 'auto',
};
/** The one setting to which empty means something. */
const nothingFetched: Config = { ...none, whatsapp: { ...none.whatsapp, versionUrl: null } };
const from = 'gateway@example.com';
const PUBLIC_URL = 'https://gateway.example.com';

const folder = mkdtempSync(join(tmpdir(), 'gateway-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const certificateFile = join(folder, 'ca.pem');
writeFileSync(certificateFile, certificates.first.certificate);
const keyFile = join(folder, 'key.pem');
writeFileSync(keyFile, certificates.first.privateKey);
const derFile = join(folder, 'ca.der');
writeFileSync(derFile, new X509Certificate(certificates.first.certificate).raw);

/** The lines of the error that this environment is refused with. */
function mistakes(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'OperatorError') throw error;
    return error.message.split('\n');
  }
  throw new Error('the settings were accepted');
}

describe('settings', () => {
  it('have defaults [settings.names]', () => {
    expect(readConfig({})).toEqual(none);
  });

  it('that are empty or blank count as absent', () => {
    expect(readConfig(Object.fromEntries(Object.keys(settings).map((name) => [name, ''])))).toEqual(nothingFetched);
    expect(readConfig(Object.fromEntries(Object.keys(settings).map((name) => [name, ' \t'])))).toEqual(nothingFetched);
  });

  it('of other programs are ignored', () => {
    expect(readConfig({ PATH: '/bin', HOME: '/root', port: '1', GATEWAY_PORT: '1' })).toEqual(none);
  });

  it.each<[string, string, Partial<Config>]>([
    ['METRICS_PORT', '9464', { metrics: { port: 9464, token: null } }],
    ['METRICS_TOKEN', '0123456789abcdef', { metrics: { port: null, token: '0123456789abcdef' } }],
    ['PORT', '0', { port: 0 }],
    ['PORT', ' 65535 ', { port: 65_535 }],
    ['HOST', '::', { host: '::' }],
    ['DATA_DIR', '/var/lib/gateway', { dataDir: '/var/lib/gateway' }],
    ['DATA_DIR', 'other', { dataDir: resolve('other') }],
    ['DATABASE_URL', 'postgres://u:p@db:5432/g', { databaseUrl: 'postgres://u:p@db:5432/g' }],
    ['DATABASE_URL', 'postgresql://db/g', { databaseUrl: 'postgresql://db/g' }],
    ['DATABASE_DURABILITY', 'normal', { durability: 'normal' }],
    ['NETWORKS', ' sandbox , sandbox ,', { networks: ['sandbox'] }],
    ['NETWORKS', 'whatsapp', { networks: ['whatsapp'] }],
    ['NETWORKS', 'sandbox,whatsapp', { networks: ['sandbox', 'whatsapp'] }],
    ['WHATSAPP_WORKERS', '1', { whatsapp: { ...none.whatsapp, workers: 1 } }],
    ['WHATSAPP_WORKERS', '64', { whatsapp: { ...none.whatsapp, workers: 64 } }],
    [
      'WHATSAPP_URL',
      'ws://127.0.0.1:8080/ws/chat',
      { whatsapp: { ...none.whatsapp, url: 'ws://127.0.0.1:8080/ws/chat', versionUrl: 'http://127.0.0.1:8080/sw.js' } },
    ],
    [
      'WHATSAPP_URL',
      'wss://[::1]:8443',
      { whatsapp: { ...none.whatsapp, url: 'wss://[::1]:8443', versionUrl: 'https://[::1]:8443/sw.js' } },
    ],
    ['WHATSAPP_VERSION', '2.3000.1043857760', { whatsapp: { ...none.whatsapp, version: 1_043_857_760 } }],
    ['WHATSAPP_VERSION', '1043857760', { whatsapp: { ...none.whatsapp, version: 1_043_857_760 } }],
    ['WHATSAPP_VERSION_URL', '', nothingFetched],
    [
      'WHATSAPP_VERSION_URL',
      'http://mirror.internal/sw.js',
      { whatsapp: { ...none.whatsapp, versionUrl: 'http://mirror.internal/sw.js' } },
    ],
    [
      'WHATSAPP_URL',
      'wss://u:secret@mirror.internal/ws/chat',
      { whatsapp: { ...none.whatsapp, url: 'wss://u:secret@mirror.internal/ws/chat', versionUrl: 'https://mirror.internal/sw.js' } },
    ],
    ['WHATSAPP_CA_FILE', certificateFile, { whatsapp: { ...none.whatsapp, caFile: certificateFile } }],
    ['SECRET_KEY', 'A1'.repeat(32), { secretKey: Buffer.alloc(32, 0xa1) }],
    ['NODE_URL', 'http://10.0.0.7:3000/', { nodeUrl: 'http://10.0.0.7:3000' }],
    ['PUBLIC_URL', 'https://gateway.example.com/', { publicUrl: 'https://gateway.example.com' }],
    ['PUBLIC_URL', ' HTTPS://Gateway.Example.com:443/a/', { publicUrl: 'https://gateway.example.com/a' }],
    ['TRUST_PROXY', '10.0.0.0/8, ::1', { trustProxy: ['10.0.0.0/8', '::1'] }],
    ['TRUST_PROXY', 'FD00::/8,10.0.0.5/32', { trustProxy: ['FD00::/8', '10.0.0.5/32'] }],
    [
      'MEDIA_ALLOW_HOSTS',
      'files.internal, 10.0.0.5:9000,[::1]:80',
      { media: { ...none.media, allowHosts: ['files.internal', '10.0.0.5:9000', '[::1]:80'] } },
    ],
    ['MEDIA_MAX_BYTES', '1', { media: { ...none.media, maxBytes: 1 } }],
    ['IDEMPOTENCY', 'off', { idempotency: false }],
    ['COMPATIBILITY', 'evolution', { compatibility: 'evolution' }],
    ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
  ])('take %s=%s [settings.names settings.networks whatsapp.version]', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toEqual({ ...none, ...expected });
  });

  it('take a certificate with its key', () => {
    expect(readConfig({ TLS_CERT_FILE: 'c.pem', TLS_KEY_FILE: 'k.pem' }).tls).toEqual({ certFile: 'c.pem', keyFile: 'k.pem' });
  });

  it.each<[string, NonNullable<Config['mail']>]>([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, secure: false, login: null, from }],
    ['smtps://mail.example.com/', { host: 'mail.example.com', port: 465, secure: true, login: null, from }],
    ['smtp://[::1]:25', { host: '::1', port: 25, secure: false, login: null, from }],
    [
      'smtps://me%40example.com:p%2Fw%3A%25@10.0.0.5:2465',
      { host: '10.0.0.5', port: 2465, secure: true, login: { user: 'me@example.com', password: 'p/w:%' }, from },
    ],
  ])('take the mail server %s', (SMTP_URL, mail) => {
    expect(readConfig({ SMTP_URL, MAIL_FROM: from, PUBLIC_URL }).mail).toEqual(mail);
  });

  it.each([
    'mail.example.com:587',
    'https://mail.example.com',
    'smtp://',
    'smtp://user-secret@mail.example.com',
    'smtp://:secret@mail.example.com',
    'smtp://u:secret%zz@mail.example.com',
    'smtp://mail.example.com/secret',
    'smtp://mail.example.com?tls=secret',
    'smtp://mail.example.com:66000',
  ])('refuse the mail server %s with one line that does not repeat it', (SMTP_URL) => {
    const lines = mistakes({ SMTP_URL, MAIL_FROM: from, PUBLIC_URL });
    expect(lines).toEqual([expect.stringMatching(/^SMTP_URL must be an smtp:\/\/ or smtps:\/\/ address/)]);
    expect(lines[0]).not.toContain('secret');
  });

  it.each([
    'cache:6379',
    'http://cache',
    'redis://',
    'redis://secret@cache/x',
    'redis://cache/0?password=secret',
    'redis://:secret%zz@cache',
    'redis://:secret@cache:66000',
    '/run/redis.sock',
  ])('refuse the Redis %s with one line that does not repeat it [settings.redis]', (REDIS_URL) => {
    const lines = mistakes({ REDIS_URL });
    expect(lines).toEqual([expect.stringMatching(/^REDIS_URL must be a redis:\/\/ or rediss:\/\/ address/)]);
    expect(lines[0]).not.toContain('secret');
  });

  it.each(['gateway', 'gateway@', 'Gateway <gateway@example.com>', 'a@example.com, b@example.com'])('refuse mails from %s', (MAIL_FROM) => {
    expect(mistakes({ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM, PUBLIC_URL })).toEqual([
      expect.stringMatching(/^MAIL_FROM must be an e-mail address/),
    ]);
  });

  it('refuse a mail server without the address that mailed links begin with [settings.smtp]', () => {
    expect(mistakes({ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: from })).toEqual([
      expect.stringMatching(/^SMTP_URL must come with PUBLIC_URL, such as https:/),
    ]);
  });

  it("take the key of a server of one's own with its address [settings.networks]", () => {
    const url = 'wss://127.0.0.1:8443/ws/chat';
    const { whatsapp } = readConfig({ WHATSAPP_URL: url, WHATSAPP_ROOT_KEY: 'B2'.repeat(32) });
    expect(whatsapp).toEqual({ ...none.whatsapp, url, rootKey: Buffer.alloc(32, 0xb2), versionUrl: 'https://127.0.0.1:8443/sw.js' });
  });

  it('refuse a root key of another length', () => {
    const lines = mistakes({ WHATSAPP_URL: 'wss://127.0.0.1', WHATSAPP_ROOT_KEY: 'a1'.repeat(33) });
    expect(lines).toEqual([expect.stringMatching(/^WHATSAPP_ROOT_KEY must be 64 hex digits/)]);
  });

  it.each([
    ['PORT', '-1'],
    ['METRICS_PORT', '65536'],
    ['METRICS_TOKEN', 'tooshort'],
    ['PORT', '65536'],
    ['PORT', '3000.5'],
    ['PORT', '0x50'],
    ['PORT', '1e3'],
    ['PORT', 'http'],
    ['DATABASE_URL', 'mysql://u:secret@db/g'],
    ['DATABASE_URL', 'postgres:/db'],
    ['DATABASE_DURABILITY', 'FULL'],
    ['NETWORKS', ','],
    ['NETWORKS', 'sandbox,telegram'],
    ['WHATSAPP_WORKERS', '0'],
    ['WHATSAPP_WORKERS', '65'],
    ['WHATSAPP_WORKERS', 'all'],
    ['WHATSAPP_URL', 'https://127.0.0.1'],
    ['WHATSAPP_URL', '127.0.0.1:8443'],
    ['WHATSAPP_VERSION_URL', 'ftp://mirror.internal/sw.js'],
    ['WHATSAPP_VERSION_URL', 'https://u:secret@mirror.internal/sw.js'],
    ['WHATSAPP_ROOT_KEY', 'a1'.repeat(32)],
    ['WHATSAPP_CA_FILE', '/nonexistent/ca.pem'],
    ['WHATSAPP_CA_FILE', keyFile],
    ['WHATSAPP_CA_FILE', derFile],
    ['SECRET_KEY', 'a1'.repeat(31)],
    ['SECRET_KEY', 'zz'.repeat(32)],
    ['NODE_URL', 'http://10.0.0.7:3000/path'],
    ['NODE_URL', '10.0.0.7:3000'],
    ['PUBLIC_URL', 'gateway.example.com'],
    ['PUBLIC_URL', 'ftp://gateway.example.com'],
    ['PUBLIC_URL', 'https://gateway.example.com/?from=mail'],
    ['PUBLIC_URL', 'https://gateway.example.com/#/'],
    ['PUBLIC_URL', 'https://u:secret@gateway.example.com'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10.0.0.0/8,proxy.internal'],
    ['TRUST_PROXY', '10.0.0.5:3000'],
    ['TRUST_PROXY', '192.168.1'],
    ['TRUST_PROXY', 'cafe'],
    ['TRUST_PROXY', 'fe80::1%eth0'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', 'fd00::/129'],
    ['TRUST_PROXY', '10.0.0.0/'],
    ['TRUST_PROXY', '10.0.0.0/8/8'],
    ['MEDIA_ALLOW_HOSTS', 'http://files.internal'],
    ['MEDIA_ALLOW_HOSTS', 'files.internal/path'],
    ['MEDIA_MAX_BYTES', '0'],
    ['MEDIA_MAX_BYTES', '100 MB'],
    ['MEDIA_MAX_BYTES', '2147483649'],
    ['IDEMPOTENCY', 'true'],
    ['LOG_LEVEL', 'verbose'],
    ['TLS_CERT_FILE', 'c.pem'],
    ['TLS_KEY_FILE', 'k.pem'],
    ['SMTP_URL', 'smtp://u:secret@mail.example.com'],
    ['MAIL_FROM', 'gateway@example.com'],
  ])('refuse %s=%s with one line that names it and does not repeat a secret [settings.checked]', (name, value) => {
    const lines = mistakes({ [name]: value });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(name);
    expect(lines[0]).toMatch(/ (must|is not supported|names) /);
    if (name === 'SECRET_KEY' || name === 'DATABASE_URL') expect(lines[0]).not.toContain(value);
    expect(lines[0]).not.toContain('u:secret');
  });

  it('tell several mistakes in several lines [settings.checked]', () => {
    const lines = mistakes({ PORT: 'x', IDEMPOTENCY: 'yes', TLS_CERT_FILE: 'c.pem', NETWORKS: 'sandbox,a,b', LOG_LEVEL: 'info' });
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['PORT', 'NETWORKS', 'NETWORKS', 'IDEMPOTENCY', 'TLS_CERT_FILE']);
  });

  it('are read once and never change [settings.checked]', () => {
    const environment: Record<string, string> = { MEDIA_ALLOW_HOSTS: 'files.internal', TLS_CERT_FILE: 'c.pem', TLS_KEY_FILE: 'k.pem' };
    const config = readConfig(environment);
    environment.PORT = '1';
    expect(config.port).toBe(3000);
    for (const part of [config, config.networks, config.whatsapp, config.tls, config.trustProxy, config.media, config.media.allowHosts]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});

describe('.env.example', () => {
  const text = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
  const entries = [...text.matchAll(/^# (.+)\n#([A-Z_]+)=(.*)$/gm)].map(([, meaning, name, value]) => ({ meaning, name, value }));

  it('lists every setting once, with its description, in the order of src/config/env.ts [settings.names]', () => {
    expect(entries.map(({ name, meaning }) => [name, meaning])).toEqual(Object.entries(settings));
  });

  it('sets nothing by itself, and holds the defaults', () => {
    expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
    expect(readConfig(Object.fromEntries(entries.map(({ name, value }) => [name, value])))).toEqual(none);
    const shown = Object.fromEntries(entries.map(({ name, value }) => [name, value]));
    expect(shown).toMatchObject({
      PORT: String(none.port),
      HOST: none.host,
      DATA_DIR: './data',
      DATABASE_DURABILITY: none.durability,
      NETWORKS: none.networks.join(','),
      MEDIA_MAX_BYTES: String(none.media.maxBytes),
      IDEMPOTENCY: 'on',
      LOG_LEVEL: none.logLevel,
    });
  });
});

describe('the settings of servers on one database', () => {
  /** What a server with these settings says when it joins one with those. */
  function joining(
    here: Record<string, string>,
    there: Record<string, string>,
    schemaThere = 'newest',
  ): { refused: string | null; logged: unknown[] } {
    const logged: unknown[] = [];
    const log = { warn: (fields: object) => void logged.push(fields) };
    const other = { name: 'host:7', settings: sharedSettings(readConfig(there), schemaThere, log).settings };
    return { refused: sharedSettings(readConfig(here), 'newest', log).refusal([other]), logged };
  }

  it.each([
    ['NETWORKS', 'sandbox', 'whatsapp,sandbox'],
    ['RETRY_KEEP_HOURS', '0', '72'],
    ['IDEMPOTENCY', 'off', 'on'],
  ])('must be alike where a difference does harm, and both values are named: %s [servers.settings-refused]', (setting, here, there) => {
    const { refused } = joining({ [setting]: here }, { [setting]: there });
    expect(refused).toMatch(`${setting} is ${here} here and ${there} at the server host:7`);
    expect(refused).not.toContain('\n');
    expect(joining({ [setting]: there }, {})).toEqual({ refused: null, logged: [] });
  });

  it('may differ elsewhere, which is logged [servers.settings-logged]', () => {
    expect(joining({ DATABASE_DURABILITY: 'normal', COMPATIBILITY: 'evolution' }, {}, 'older')).toEqual({
      refused: null,
      logged: [
        { setting: 'COMPATIBILITY', here: 'evolution', there: 'off', server: 'host:7' },
        { setting: 'DATABASE_DURABILITY', here: 'normal', there: 'full', server: 'host:7' },
        { setting: 'schema', here: 'newest', there: 'older', server: 'host:7' },
      ],
    });
  });

  it('of a server of an earlier release are not known', () => {
    const log = { warn: () => expect.unreachable() };
    expect(sharedSettings(readConfig({}), 'newest', log).refusal([{ name: 'older', settings: {} }])).toBeNull();
  });
});

it("is reached by other servers at NODE_URL, else where it listens, by the machine's name where that stands for every address", () => {
  expect(nodeUrl({ nodeUrl: 'http://10.0.0.7:3000', host: '0.0.0.0' }, 'http://127.0.0.1:1')).toBe('http://10.0.0.7:3000');
  expect(nodeUrl({ nodeUrl: null, host: '127.0.0.1' }, 'http://127.0.0.1:41234')).toBe('http://127.0.0.1:41234');
  expect(nodeUrl({ nodeUrl: null, host: '0.0.0.0' }, 'https://127.0.0.1:3000')).toBe(`https://${hostname()}:3000`);
});
