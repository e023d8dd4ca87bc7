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

interface MailOptions {
  readonly clock: Clock;
  readonly log: { error(fields: { readonly reason: string }, message: string): void };
  /** Called with whether the mail server took a mail; not when it refused the address alone, which says nothing about other mails. */
  readonly tried?: (taken: boolean) => void;
}

const connectMs = 10_000;
const silenceMs = 15_000;
const wholeMs = 30_000;

/** A connection to this machine itself leaves it nowhere to be listened to, and its server has no certificate for such a name. */
const ownNames = ['localhost', '127.0.0.1', '::1'];

/** Mail over SMTP, one connection for each. Without TLS, links and the password go to no other machine. */
export function createMail(server: MailServer, { clock, log, tried }: MailOptions): Mail {
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
        tried?.(true);
        return true;
      } catch (error) {
        if (!isRefusedAddress(error)) tried?.(false);
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

/** Whether the mail server takes no mail to this address, for good. Many also say only there that they take none from this server (5.7, RFC 3463). */
function isRefusedAddress(error: unknown): boolean {
  if (!(error instanceof Error && 'command' in error && 'responseCode' in error && 'response' in error)) return false;
  return error.command === 'RCPT TO' && Number(error.responseCode) >= 500 && !/^5\d\d[ -]5\.7\./.test(String(error.response));
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
