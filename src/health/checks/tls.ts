import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dayMs } from '../../core/index.ts';
import { type Check, type Finding, fail, ok, reason, t, warn } from './check.ts';

const warnDays = 14;
const renew = t('renew the certificate; the server reads the new files automatically');

/** The files of HTTPS: readable, belonging together, and not about to expire. */
export const tls: Check = async ({ clock }, config) => {
  if (config.tls === null) return [ok('tls', t('off: plain HTTP, for a proxy in front that speaks HTTPS'))];
  const { certFile, keyFile } = config.tls;
  let certificate: X509Certificate;
  try {
    // As text, because bytes may also be DER, with which the server does not start.
    certificate = new X509Certificate(await readFile(certFile, 'utf8'));
  } catch (error) {
    return [
      fail(
        'tls',
        t('TLS_CERT_FILE cannot be used: {{reason}}', { reason: reason(error) }),
        t('point it at a PEM certificate chain this user may read'),
      ),
    ];
  }
  const findings: Finding[] = [];
  try {
    if (!certificate.checkPrivateKey(createPrivateKey(await readFile(keyFile)))) {
      findings.push(fail('tls', t('TLS_KEY_FILE does not belong to TLS_CERT_FILE'), t('point both at the same pair')));
    }
  } catch (error) {
    findings.push(
      fail(
        'tls',
        t('TLS_KEY_FILE cannot be used: {{reason}}', { reason: reason(error) }),
        t('point it at a PEM private key without passphrase that this user may read'),
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
      t('the certificate is valid only from {{time}}', { time: certificate.validFromDate.toISOString() }),
      t('check the clock, or use the right certificate'),
    );
  if (end.getTime() <= now) return fail('tls', t('the certificate expired {{time}}', { time: end.toISOString() }), renew);
  if (days < warnDays)
    return warn('tls', t('the certificate expires in {{days}} days, {{time}}', { days, time: end.toISOString() }), renew);
  return ok('tls', t('the certificate is valid for {{days}} more days', { days: String(days) }));
}
