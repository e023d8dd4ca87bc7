import { readFileSync, watch } from 'node:fs';
import type { Server } from 'node:https';
import { dirname } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { type Log, OperatorError } from '../core/index.ts';

export interface Tls {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Fastify's options for HTTPS, or none for plain HTTP. Throws OperatorError when the files cannot be used. */
export function tlsOptions(tls: Tls | null): { https: ReturnType<typeof readPair> } | Record<string, never> {
  return tls === null ? {} : { https: readPair(tls) };
}

/** Takes over a renewed certificate without a restart; a half-written or broken pair leaves the old one in use. */
export function watchCertificate(server: FastifyInstance, tls: Tls, log: Pick<Log, 'info' | 'error'>): void {
  let pending: NodeJS.Timeout | null = null;
  const reload = () => {
    pending = null;
    try {
      (server.server as unknown as Server).setSecureContext(readPair(tls));
      log.info({ file: tls.certFile }, 'the renewed TLS certificate is in use');
    } catch (error) {
      log.error({ err: error, file: tls.certFile }, 'the changed TLS certificate cannot be used; the previous one stays in use');
    }
  };
  // Folders are watched, because renewals replace files by renaming; a moment's wait lets both files arrive.
  const watchers = [...new Set([dirname(tls.certFile), dirname(tls.keyFile)])].map((folder) =>
    watch(folder, { persistent: false }, () => {
      pending ??= setTimeout(reload, 200).unref();
    }),
  );
  server.addHook('onClose', (_server, done) => {
    for (const watcher of watchers) watcher.close();
    if (pending !== null) clearTimeout(pending);
    done();
  });
}

function readPair(tls: Tls): { cert: Buffer; key: Buffer } {
  try {
    const pair = { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) };
    createSecureContext(pair);
    return pair;
  } catch (error) {
    throw new OperatorError(`TLS_CERT_FILE and TLS_KEY_FILE cannot be used: ${error instanceof Error ? error.message : error}`);
  }
}
