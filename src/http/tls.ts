import { readFileSync, statSync } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { type Clock, type Log, OperatorError, Periodic } from '../core/index.ts';

/** How often the files are looked at: soon, because the command line and the other servers trust what is in them. */
const everyMs = 1000;

export interface Tls {
  readonly certFile: string;
  readonly keyFile: string;
}

interface RenewalOptions {
  readonly tls: Tls;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'error'>;
}

/** Fastify's options for HTTPS, or none for plain HTTP. Throws OperatorError when the files cannot be used. */
export function tlsOptions(tls: Tls | null): { https: ReturnType<typeof readPair> } | Record<string, never> {
  return tls === null ? {} : { https: readPair(tls) };
}

/** Takes over a renewed certificate without a restart; a half-written or broken pair leaves the old one in use. */
export function renewCertificate(server: FastifyInstance, { tls, clock, log }: RenewalOptions): void {
  let seen = filesOf(tls);
  // Looked at and not watched, because a watch does not notice that the folder itself was exchanged.
  const looks = new Periodic({
    clock,
    everyMs,
    work() {
      const found = filesOf(tls);
      if (found === seen) return;
      seen = found;
      try {
        (server.server as unknown as Server).setSecureContext(readPair(tls));
        log.info({ file: tls.certFile }, 'the renewed TLS certificate is in use');
      } catch (error) {
        log.error({ err: error, file: tls.certFile }, 'the changed TLS certificate cannot be used; the previous one stays in use');
      }
    },
    log,
    failed: 'the files of the TLS certificate could not be looked at',
  }).start();
  server.addHook('onClose', () => looks.stop());
}

/** Another text when one of the files is another one, or was written since. */
function filesOf({ certFile, keyFile }: Tls): string {
  return [certFile, keyFile]
    .map((file) => {
      try {
        const { ino, size, mtimeMs, ctimeMs } = statSync(file);
        return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
      } catch (error) {
        // A change like any other: reading the pair then says once what is wrong.
        return String(error);
      }
    })
    .join(' ');
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
