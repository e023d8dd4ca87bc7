import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Config, readConfig, settings } from '../src/config/index.ts';

const none: Config = {
  host: '127.0.0.1',
  port: 3000,
  dataDir: resolve('data'),
  databaseUrl: null,
  durability: 'full',
  networks: ['sandbox'],
  secretKey: null,
  publicUrl: null,
  tls: null,
  trustProxy: [],
  media: { allowHosts: [], maxBytes: 104_857_600 },
  idempotency: true,
  logLevel: 'info',
};

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
  it('have defaults', () => {
    expect(readConfig({})).toEqual(none);
  });

  it('that are empty or blank count as absent', () => {
    expect(readConfig(Object.fromEntries(Object.keys(settings).map((name) => [name, ''])))).toEqual(none);
    expect(readConfig(Object.fromEntries(Object.keys(settings).map((name) => [name, ' \t'])))).toEqual(none);
  });

  it('of other programs are ignored', () => {
    expect(readConfig({ PATH: '/bin', HOME: '/root', port: '1', GATEWAY_PORT: '1' })).toEqual(none);
  });

  it.each<[string, string, Partial<Config>]>([
    ['PORT', '0', { port: 0 }],
    ['PORT', ' 65535 ', { port: 65_535 }],
    ['HOST', '::', { host: '::' }],
    ['DATA_DIR', '/var/lib/gateway', { dataDir: '/var/lib/gateway' }],
    ['DATA_DIR', 'other', { dataDir: resolve('other') }],
    ['DATABASE_URL', 'postgres://u:p@db:5432/g', { databaseUrl: 'postgres://u:p@db:5432/g' }],
    ['DATABASE_URL', 'postgresql://db/g', { databaseUrl: 'postgresql://db/g' }],
    ['DATABASE_DURABILITY', 'normal', { durability: 'normal' }],
    ['NETWORKS', ' sandbox , sandbox ,', { networks: ['sandbox'] }],
    ['SECRET_KEY', 'A1'.repeat(32), { secretKey: Buffer.alloc(32, 0xa1) }],
    ['PUBLIC_URL', 'https://gateway.example.com/', { publicUrl: 'https://gateway.example.com' }],
    ['TRUST_PROXY', '10.0.0.0/8, ::1', { trustProxy: ['10.0.0.0/8', '::1'] }],
    [
      'MEDIA_ALLOW_HOSTS',
      'files.internal, 10.0.0.5:9000,[::1]:80',
      { media: { ...none.media, allowHosts: ['files.internal', '10.0.0.5:9000', '[::1]:80'] } },
    ],
    ['MEDIA_MAX_BYTES', '1', { media: { ...none.media, maxBytes: 1 } }],
    ['IDEMPOTENCY', 'off', { idempotency: false }],
    ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
  ])('take %s=%s', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toEqual({ ...none, ...expected });
  });

  it('take a certificate with its key', () => {
    expect(readConfig({ TLS_CERT_FILE: 'c.pem', TLS_KEY_FILE: 'k.pem' }).tls).toEqual({ certFile: 'c.pem', keyFile: 'k.pem' });
  });

  it.each([
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '3000.5'],
    ['PORT', '0x50'],
    ['PORT', '1e3'],
    ['PORT', 'http'],
    ['DATABASE_URL', 'mysql://u:secret@db/g'],
    ['DATABASE_URL', 'postgres:/db'],
    ['DATABASE_DURABILITY', 'FULL'],
    ['REDIS_URL', 'redis://cache:6379'],
    ['NETWORKS', ','],
    ['NETWORKS', 'sandbox,telegram'],
    ['NETWORKS', 'whatsapp'],
    ['SECRET_KEY', 'a1'.repeat(31)],
    ['SECRET_KEY', 'zz'.repeat(32)],
    ['PUBLIC_URL', 'gateway.example.com'],
    ['PUBLIC_URL', 'ftp://gateway.example.com'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10.0.0.0/8,proxy.internal'],
    ['MEDIA_ALLOW_HOSTS', 'http://files.internal'],
    ['MEDIA_ALLOW_HOSTS', 'files.internal/path'],
    ['MEDIA_MAX_BYTES', '0'],
    ['MEDIA_MAX_BYTES', '100 MB'],
    ['MEDIA_MAX_BYTES', '2147483649'],
    ['IDEMPOTENCY', 'true'],
    ['LOG_LEVEL', 'verbose'],
    ['TLS_CERT_FILE', 'c.pem'],
    ['TLS_KEY_FILE', 'k.pem'],
  ])('refuse %s=%s with one line that names it and does not repeat a secret', (name, value) => {
    const lines = mistakes({ [name]: value });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(name);
    expect(lines[0]).toMatch(/ (must|is not supported|names) /);
    if (name === 'SECRET_KEY' || name === 'DATABASE_URL') expect(lines[0]).not.toContain(value);
  });

  it('tell several mistakes in several lines', () => {
    const lines = mistakes({ PORT: 'x', IDEMPOTENCY: 'yes', TLS_CERT_FILE: 'c.pem', NETWORKS: 'sandbox,a,whatsapp', LOG_LEVEL: 'info' });
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['PORT', 'NETWORKS', 'NETWORKS', 'IDEMPOTENCY', 'TLS_CERT_FILE']);
  });

  it('are read once and never change', () => {
    const environment: Record<string, string> = { MEDIA_ALLOW_HOSTS: 'files.internal', TLS_CERT_FILE: 'c.pem', TLS_KEY_FILE: 'k.pem' };
    const config = readConfig(environment);
    environment.PORT = '1';
    expect(config.port).toBe(3000);
    for (const part of [config, config.networks, config.tls, config.trustProxy, config.media, config.media.allowHosts]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});

describe('.env.example', () => {
  const text = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
  const entries = [...text.matchAll(/^# (.+)\n#([A-Z_]+)=(.*)$/gm)].map(([, meaning, name, value]) => ({ meaning, name, value }));

  it('lists every setting once, with its description, in the order of src/config/env.ts', () => {
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
