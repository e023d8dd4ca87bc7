import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dayMs } from '../../core/index.ts';
import { type Check, type Finding, fail, ok, reason, warn } from './check.ts';

const warnDays = 14;
const renew = 'renew the certificate; the server reads the new files automatically';

/** The files of HTTPS: readable, belonging together, and not about to expire. */
export const tls: Check = async ({ clock }, config) => {
  if (config.tls === null) return [ok('tls', 'off: plain HTTP, for a proxy in front that speaks HTTPS')];
  const { certFile, keyFile } = config.tls;
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(await readFile(certFile));
  } catch (error) {
    return [fail('tls', `TLS_CERT_FILE cannot be used: ${reason(error)}`, 'point it at a PEM certificate chain this user may read')];
  }
  const findings: Finding[] = [];
  try {
    if (!certificate.checkPrivateKey(createPrivateKey(await readFile(keyFile)))) {
      findings.push(fail('tls', 'TLS_KEY_FILE does not belong to TLS_CERT_FILE', 'point both at the same pair'));
    }
  } catch (error) {
    findings.push(
      fail(
        'tls',
        `TLS_KEY_FILE cannot be used: ${reason(error)}`,
        'point it at a PEM private key without passphrase that this user may read',
      ),
    );
  }
  return [...findings, expiry(certificate, clock.now())];
};

function expiry(certificate: X509Certificate, now: number): Finding {
  const end = certificate.validToDate;
  const days = Math.floor((end.getTime() - now) / dayMs);
  if (certificate.validFromDate.getTime() > now)
    return fail(
      'tls',
      `the certificate is valid only from ${certificate.validFromDate.toISOString()}`,
      'check the clock, or use the right certificate',
    );
  if (end.getTime() <= now) return fail('tls', `the certificate expired ${end.toISOString()}`, renew);
  if (days < warnDays) return warn('tls', `the certificate expires in ${days} days, ${end.toISOString()}`, renew);
  return ok('tls', `the certificate is valid for ${days} more days`);
}
