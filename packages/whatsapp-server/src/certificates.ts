import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TlsFiles {
  readonly caFile: string;
  readonly key: Buffer;
  readonly certificate: Buffer;
}

/** Creates a certificate authority and a certificate for 127.0.0.1 and localhost, as files in `directory`. */
export function createTlsFiles(directory: string): TlsFiles {
  const at = (name: string) => join(directory, name);
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '3'];
  openssl([...request, '-keyout', at('ca.key'), '-out', at('ca.pem'), '-subj', '/CN=WhatsApp server for tests']);
  openssl([
    ...request,
    ...['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-keyout', at('server.key'), '-out', at('server.pem'), '-subj', '/CN=127.0.0.1'],
    ...['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost', '-addext', 'basicConstraints=CA:FALSE'],
  ]);
  return { caFile: at('ca.pem'), key: readFileSync(at('server.key')), certificate: readFileSync(at('server.pem')) };
}

function openssl(args: string[]): void {
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 10_000 });
}
