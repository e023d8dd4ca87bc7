import type { Config } from '../../config/index.ts';
import { type Finding, ok, t, warn } from './check.ts';

/** The mail server, tried with a connection and a sign-in: no mail is sent. */
export interface MailProbe {
  /** What is wrong with it, in a few words; null: nothing. Never rejects. */
  verify(): Promise<string | null>;
}

/** Whether the mail server takes the gateway's connection, speaks TLS where it must, and knows its user and password. */
export async function mail(probe: MailProbe | null, config: Pick<Config, 'mail'>): Promise<Finding[]> {
  if (config.mail === null || probe === null) return [];
  const server = `${config.mail.host}:${config.mail.port}`;
  const trouble = await probe.verify();
  return [
    trouble === null
      ? ok('mail', t('{{server}} can be reached and accepts the sign-in', { server }))
      : warn(
          'mail',
          t('{{server}} cannot be used: {{trouble}}', { server, trouble }),
          t(
            'check that the server is running and that SMTP_URL has its port, user and password; until then invitations, password links and alerts by mail do not arrive',
          ),
        ),
  ];
}
