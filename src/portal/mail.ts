import type { MailText } from '../accounts/index.ts';
import { type Clock, withTimeout } from '../core/index.ts';

/** Sends the portal's few mails. */
export interface Mail {
  /** True when the mail server took it; false is logged. Never throws, and takes 30 seconds at most. */
  send(to: string, mail: MailText): Promise<boolean>;
}

interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; else STARTTLS. */
  readonly secure: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
  readonly from: string;
}

const connectMs = 10_000;
const silenceMs = 15_000;
const wholeMs = 30_000;

/** A connection to this machine itself leaves it nowhere to be listened to, and its server has no certificate for such a name. */
const ownNames = ['localhost', '127.0.0.1', '::1'];

/** Mail over SMTP, one connection for each. Without TLS, links and the password go to no other machine. */
export function createMail(
  server: MailServer,
  { clock, log }: { clock: Clock; log: { error(fields: { readonly reason: string }, message: string): void } },
): Mail {
  return {
    async send(to, { subject, text }) {
      // Loaded with the first mail: most processes never send one.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        host: server.host,
        port: server.port,
        secure: server.secure,
        ...(ownNames.includes(server.host.toLowerCase()) ? { ignoreTLS: true } : { requireTLS: true }),
        ...(server.login === null ? {} : { auth: { user: server.login.user, pass: server.login.password } }),
        dnsTimeout: connectMs,
        connectionTimeout: connectMs,
        greetingTimeout: connectMs,
        socketTimeout: silenceMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      try {
        const sent = transport.sendMail({ from: server.from, to: { name: '', address: to }, subject, text });
        await withTimeout(clock, wholeMs, sent, () => {
          throw new Error(`the mail server took longer than ${wholeMs / 1000} seconds`);
        });
        return true;
      } catch (error) {
        log.error({ reason: error instanceof Error ? error.message : String(error) }, 'a mail could not be sent');
        return false;
      } finally {
        transport.close();
      }
    },
  };
}
