import type { Transporter } from 'nodemailer';
import type { BrandedMail } from '../branding/index.ts';
import { type Clock, withTimeout } from '../core/index.ts';

/** Sends the portal's few mails. */
export interface Mail {
  /** True when the mail server took it; false is logged. Never throws, and takes 30 seconds at most. */
  send(to: string, mail: BrandedMail): Promise<boolean>;
  /** What is wrong with the mail server, as far as a connection and a sign-in show; null: nothing. Never rejects. */
  verify(): Promise<string | null>;
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
  /** One connection for this piece of work. Rejects when it fails or takes too long. */
  async function connected<T>(work: (transport: Transporter) => Promise<T>): Promise<T> {
    // Loaded when it is first needed: most processes never send a mail.
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
      return await withTimeout(clock, wholeMs, work(transport), () => {
        throw new Error(`the mail server took longer than ${wholeMs / 1000} seconds`);
      });
    } finally {
      transport.close();
    }
  }

  return {
    async send(to, { subject, text, senderName, replyTo }) {
      const mail = {
        from: senderName === undefined ? server.from : { name: senderName, address: server.from },
        ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
        to: { name: '', address: to },
        subject,
        text,
      };
      try {
        await connected((transport) => transport.sendMail(mail));
        return true;
      } catch (error) {
        log.error({ reason: reasonOf(error) }, 'a mail could not be sent');
        return false;
      }
    },
    async verify() {
      try {
        await connected((transport) => transport.verify());
        return null;
      } catch (error) {
        return reasonOf(error);
      }
    },
  };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
