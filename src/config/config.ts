import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { OperatorError, readRedisUrl, redisUrlRule } from '../core/index.ts';
import { type NetworkName, networkNames } from '../networks/index.ts';
import { type SettingName, settings } from './env.ts';
import { readMailServer } from './mail-server.ts';

const logFormats = ['auto', 'json', 'text'] as const;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const mostWorkers = 64;
/** Phones give up on a message long before this. */
const mostRetryKeepHours = 720;

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^[0-9]{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);

const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

const hexKey = (whence: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/i, { error: `must be 64 hex digits (32 bytes), ${whence}` })
    .transform((hex) => Buffer.from(hex, 'hex'));

const isNetwork = (name: string): name is NetworkName => networkNames.some((known) => known === name);

/** Whether it is an http(s) address with nothing but a host, a port and a path. */
function isPlainUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}${url.pathname}`;
}

/** Whether it is an address, or a network such as 10.0.0.0/8; not one of all addresses (/0), which Fastify refuses. */
function isAddressOrNetwork(text: string): boolean {
  // To isIP an address with the name of an interface (fe80::1%eth0) is one too.
  const [, address = '', prefix = '1'] = /^([^/%]+)(?:\/([0-9]{1,3}))?$/.exec(text) ?? [];
  return isIP(address) !== 0 && Number(prefix) >= 1 && Number(prefix) <= (isIP(address) === 6 ? 128 : 32);
}

const schemas = {
  PORT: wholeNumber(0, 65535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, { error: 'must be a PostgreSQL URL such as postgres://user:password@host:5432/database' })
    .optional(),
  DATABASE_DURABILITY: z.enum(['full', 'normal'], { error: 'must be full or normal' }).default('full'),
  REDIS_URL: z
    .string()
    .refine((text) => readRedisUrl(text) !== null, { error: redisUrlRule })
    .optional(),
  NODE_URL: z
    .string()
    .refine((text) => isPlainUrl(text) && new URL(text).pathname === '/', {
      error: 'must be an http(s) address without a path, such as http://10.0.0.7:3000',
    })
    .transform((text) => new URL(text).origin)
    .optional(),
  NETWORKS: commaList
    .refine((names) => names.length > 0, { error: `must name at least one of ${networkNames.join(', ')}` })
    .transform((names, context) => {
      for (const name of names) {
        if (!isNetwork(name)) {
          context.addIssue({ code: 'custom', message: `names the unknown network "${name}"; known are ${networkNames.join(', ')}` });
        }
      }
      // Checked just above; the first refine guarantees one element.
      return [...new Set(names)] as [NetworkName, ...NetworkName[]];
    })
    .default(['whatsapp', 'sandbox']),
  WHATSAPP_WORKERS: wholeNumber(1, mostWorkers).optional(),
  WHATSAPP_URL: z.url({ protocol: /^wss?$/, error: 'must be a ws:// or wss:// address such as wss://127.0.0.1:8443/ws/chat' }).optional(),
  WHATSAPP_ROOT_KEY: hexKey('as your own server prints it').optional(),
  WHATSAPP_CA_FILE: z
    .string()
    .transform((file) => resolve(file))
    .refine(isCertificateFile, { error: 'must be a PEM file with certificates that this user may read' })
    .optional(),
  RETRY_KEEP_HOURS: wholeNumber(0, mostRetryKeepHours).default(72),
  WHATSAPP_VERSION: z
    .string()
    .regex(/^(2\.3000\.)?[1-9][0-9]{8,11}$/, { error: 'must be a version such as 2.3000.1043857760, or its last part' })
    .transform((text) => Number(text.replace(/^2\.3000\./, '')))
    .optional(),
  WHATSAPP_VERSION_URL: z
    .string()
    // The address is logged and shown, so that it must hold no secret.
    .refine(isPlainUrl, {
      error:
        'must be an http(s) address without a user, ? and #, such as https://web.whatsapp.com/sw.js, or empty, so that nothing is ever fetched',
    })
    .optional(),
  SECRET_KEY: hexKey('for example from: openssl rand -hex 32').optional(),
  PUBLIC_URL: z
    .string()
    .refine(isPlainUrl, { error: 'must be an http(s) address without a user, ? and #, such as https://gateway.example.com' })
    // In the parser's spelling: links in mails and answers begin with it.
    .transform((text) => new URL(text).href.replace(/\/+$/, ''))
    .optional(),
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  SMTP_URL: z
    .string()
    .transform((text) => readMailServer(text))
    .refine((server) => server !== null, {
      error:
        'must be an smtp:// or smtps:// address such as smtp://user:password@mail.example.com:587, with % escapes for special characters',
    })
    .optional(),
  MAIL_FROM: z.email({ error: 'must be an e-mail address such as gateway@example.com' }).optional(),
  TRUST_PROXY: commaList
    .refine((items) => items.every(isAddressOrNetwork), {
      error: 'must be a comma list of addresses or networks such as 10.0.0.5 or 10.0.0.0/8, without ports and names',
    })
    .default([]),
  MEDIA_ALLOW_HOSTS: commaList
    .refine((items) => items.every((item) => /^(\[[0-9a-f:.]+\]|[^\s/:@]+)(:[0-9]{1,5})?$/i.test(item)), {
      error: 'must be a comma list of host or host:port',
    })
    .default([]),
  MEDIA_MAX_BYTES: wholeNumber(1, 2 ** 31).default(100 * 1024 * 1024),
  IDEMPOTENCY: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  COMPATIBILITY: z.enum(['evolution'], { error: 'must be evolution, or absent' }).optional(),
  MCP: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  METRICS_PORT: wholeNumber(0, 65535).optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, { error: 'must be 16 to 200 characters without spaces, for example from: openssl rand -hex 16' })
    .optional(),
  ALERT_ERROR_PERCENT: wholeNumber(1, 100).default(10),
  STOP_DELAY_SECONDS: wholeNumber(0, 60).default(0),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
  LOG_FORMAT: z.enum(logFormats, { error: `must be one of ${logFormats.join(', ')}` }).default('auto'),
} satisfies Record<SettingName, z.ZodType>;

/** The settings, checked and typed. Made once, never changed. */
export type Config = ReturnType<typeof readConfig>;

/**
 * Interprets the environment. An empty variable counts as absent, except that an empty WHATSAPP_VERSION_URL turns the fetching off.
 * Throws OperatorError with one line per mistake.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>) {
  const given: Record<string, string> = {};
  for (const name of Object.keys(settings)) {
    const value = environment[name]?.trim();
    if (value !== undefined && value !== '') given[name] = value;
  }
  const parsed = z.object(schemas).safeParse(given);
  const mistakes = parsed.success ? [] : parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`);
  if ((given.TLS_CERT_FILE === undefined) !== (given.TLS_KEY_FILE === undefined)) {
    mistakes.push('TLS_CERT_FILE and TLS_KEY_FILE must be set together');
  }
  if ((given.SMTP_URL === undefined) !== (given.MAIL_FROM === undefined)) {
    mistakes.push('SMTP_URL and MAIL_FROM must be set together');
  } else if (given.SMTP_URL !== undefined && given.PUBLIC_URL === undefined) {
    mistakes.push('SMTP_URL must come with PUBLIC_URL, such as https://gateway.example.com: links in mails begin with it');
  }
  if (given.WHATSAPP_ROOT_KEY !== undefined && given.WHATSAPP_URL === undefined) {
    mistakes.push('WHATSAPP_ROOT_KEY must come with WHATSAPP_URL: the real network has its own key');
  }
  const severalServers = given.REDIS_URL !== undefined && schemas.REDIS_URL.safeParse(given.REDIS_URL).success;
  if (severalServers && given.DATABASE_URL === undefined) {
    mistakes.push('REDIS_URL must come with DATABASE_URL: several servers share one PostgreSQL database');
  }
  if (severalServers && given.SECRET_KEY === undefined) {
    mistakes.push('REDIS_URL must come with SECRET_KEY: several servers share one key');
  }
  if (!parsed.success || mistakes.length > 0) throw new OperatorError(mistakes.join('\n'));

  const env = parsed.data;
  return deepFreeze({
    host: env.HOST,
    port: env.PORT,
    dataDir: resolve(env.DATA_DIR),
    /** null: the embedded database in dataDir. */
    databaseUrl: env.DATABASE_URL ?? null,
    /** null: this is the only server. */
    redisUrl: env.REDIS_URL ?? null,
    /** Where the other servers reach this one; null: where it listens. */
    nodeUrl: env.NODE_URL ?? null,
    durability: env.DATABASE_DURABILITY,
    /** The first is the default for new instances. */
    networks: env.NETWORKS,
    whatsapp: {
      // One core stays free for requests, the store and everything else.
      workers: env.WHATSAPP_WORKERS ?? Math.min(mostWorkers, Math.max(1, availableParallelism() - 1)),
      /** null: the real network; so for `rootKey`. */
      url: env.WHATSAPP_URL ?? null,
      rootKey: env.WHATSAPP_ROOT_KEY ?? null,
      caFile: env.WHATSAPP_CA_FILE ?? null,
      retryKeepHours: env.RETRY_KEEP_HOURS,
      /** N of 2.3000.N; null: the newest that is known. */
      version: env.WHATSAPP_VERSION ?? null,
      /** null: no page is ever read. */
      versionUrl: environment.WHATSAPP_VERSION_URL?.trim() === '' ? null : (env.WHATSAPP_VERSION_URL ?? versionPageOf(env.WHATSAPP_URL)),
    },
    /** null: kept in dataDir. */
    secretKey: env.SECRET_KEY ?? null,
    publicUrl: env.PUBLIC_URL ?? null,
    tls:
      env.TLS_CERT_FILE !== undefined && env.TLS_KEY_FILE !== undefined ? { certFile: env.TLS_CERT_FILE, keyFile: env.TLS_KEY_FILE } : null,
    mail: env.SMTP_URL == null || env.MAIL_FROM === undefined ? null : { ...env.SMTP_URL, from: env.MAIL_FROM },
    trustProxy: env.TRUST_PROXY,
    media: { allowHosts: env.MEDIA_ALLOW_HOSTS, maxBytes: env.MEDIA_MAX_BYTES },
    idempotency: env.IDEMPOTENCY === 'on',
    /** The program whose paths are answered too; null: none. */
    compatibility: env.COMPATIBILITY ?? null,
    /** Whether there is /mcp. */
    mcp: env.MCP === 'on',
    /** null: there are none. `port` null: they are served at the server's own port; then there is a token. */
    metrics:
      env.METRICS_PORT === undefined && env.METRICS_TOKEN === undefined
        ? null
        : { port: env.METRICS_PORT ?? null, token: env.METRICS_TOKEN ?? null },
    /** The share of failed sends from which on there is an alert. */
    alertErrorRate: env.ALERT_ERROR_PERCENT / 100,
    stopDelayMs: env.STOP_DELAY_SECONDS * 1000,
    logLevel: env.LOG_LEVEL,
    logFormat: env.LOG_FORMAT,
  });
}

/** The service worker of WhatsApp Web, or of the server in its place. */
function versionPageOf(url = 'wss://web.whatsapp.com'): string {
  const { protocol, host } = new URL(url);
  return `${protocol.replace('ws', 'http')}//${host}/sw.js`;
}

function isCertificateFile(file: string): boolean {
  try {
    // As text, because bytes may also be DER, with which TLS would trust nothing.
    return new X509Certificate(readFileSync(file, 'utf8')).raw.length > 0;
  } catch {
    return false;
  }
}

/** Freezes a value and all it holds; bytes cannot be frozen and stay as they are. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
