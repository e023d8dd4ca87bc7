import { createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { listening } from './listening.ts';

/** A mail as the server took it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  /** Head and body, dots undone. */
  readonly source: string;
  /** Whether it came over TLS, and after which login. */
  readonly encrypted: boolean;
  readonly login: string | null;
}

/** How the server behaves. */
export interface MailServerOptions {
  /** TLS from the first byte, offered by STARTTLS, or not at all. */
  readonly tls?: 'implicit' | 'starttls' | 'none';
  /** user:password that must come before a mail; absent: none is asked for. */
  readonly login?: string;
  /** Refuses every recipient. */
  readonly refuses?: string;
  /** Says nothing at all. */
  readonly silent?: boolean;
  /** 127.0.0.1 when absent; certificates are for 127.0.0.2. */
  readonly host?: string;
}

export interface TestMailServer {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** Open connections. */
  readonly connections: () => number;
  stop(): Promise<void>;
}

/** A mail server that speaks as much SMTP as a client needs to hand over one mail (RFC 5321, 3207, 4954). */
export async function openMailServer(options: MailServerOptions = {}): Promise<TestMailServer> {
  const mails: ReceivedMail[] = [];
  const server = createServer((socket) => {
    if (options.silent === true) return;
    converse(options.tls === 'implicit' ? encrypted(socket) : socket, options, mails, true);
  });
  const { port, sockets, close } = await listening(server, options.host);
  return { port, mails, connections: () => sockets.size, stop: close };
}

function encrypted(socket: Socket): TLSSocket {
  const secureContext = createSecureContext({ cert: mailCertificate.certificate, key: mailCertificate.privateKey });
  const secure = new TLSSocket(socket, { isServer: true, secureContext });
  secure.on('error', () => socket.destroy());
  return secure;
}

function converse(socket: Socket, options: MailServerOptions, mails: ReceivedMail[], greets: boolean): void {
  const over = socket instanceof TLSSocket;
  let [from, to, login] = ['', '', null as string | null];
  let source: string[] | null = null;
  let rest = '';
  const say = (line: string) => socket.write(`${line}\r\n`);

  function heed(line: string): void {
    if (source !== null) {
      if (line !== '.') {
        source.push(line.replace(/^\./, ''));
        return;
      }
      mails.push({ from, to, source: source.join('\n'), encrypted: over, login });
      source = null;
      say('250 taken');
      return;
    }
    const word = (line.split(' ')[0] ?? '').toUpperCase();
    switch (word) {
      case 'EHLO':
      case 'HELO':
        say('250-mail.example.com');
        if (options.tls === 'starttls' && !over) say('250-STARTTLS');
        if (options.login !== undefined) say('250-AUTH PLAIN');
        say('250 8BITMIME');
        break;
      case 'STARTTLS':
        if (options.tls !== 'starttls' || over) {
          say('502 not here');
          break;
        }
        socket.removeAllListeners('data');
        say('220 go ahead');
        converse(encrypted(socket), options, mails, false);
        break;
      case 'AUTH': {
        const told = Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .slice(1)
          .replace('\0', ':');
        login = told;
        say(told === options.login ? '235 welcome' : '535 wrong user or password');
        break;
      }
      case 'MAIL':
        from = /<(.*?)>/.exec(line)?.[1] ?? '';
        say(options.login !== undefined && login !== options.login ? '530 log in first' : '250 ok');
        break;
      case 'RCPT':
        to = /<(.*?)>/.exec(line)?.[1] ?? '';
        say(options.refuses ?? '250 ok');
        break;
      case 'DATA':
        source = [];
        say('354 go on');
        break;
      case 'QUIT':
        say('221 bye');
        socket.end();
        break;
      default:
        say('502 unknown');
    }
  }

  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    const lines = (rest + chunk).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) heed(line);
  });
  if (greets) say('220 mail.example.com ready');
}

/** A self-signed certificate for 127.0.0.2, valid from 2020 to 2120, with its key. It protects nothing: it exists for these tests only. */
export const mailCertificate = {
  certificate: `-----BEGIN CERTIFICATE-----
MIIBajCCARCgAwIBAgIBBDAKBggqhkjOPQQDAjAbMRkwFwYDVQQDDBBtYWlsLmV4
YW1wbGUuY29tMCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAbMRkw
FwYDVQQDDBBtYWlsLmV4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAE4TnF2lUzaJdl9NvdPXyxeQLLPXBpgLOZTQf6b/hHJxKkWDoE1aXnhd57P09z
UtHkZmeLfMwQD+Cmo1r2WAWdcKNDMEEwDwYDVR0RBAgwBocEfwAAAjAPBgNVHRMB
Af8EBTADAQH/MB0GA1UdDgQWBBTPV+F2zdMUJk9+BkLOCLXfVUDDTzAKBggqhkjO
PQQDAgNIADBFAiAK7UkRCtvLKkspgblxgn8yVtG/g8+EY/hTmcKnx+IevwIhAIHf
qJR8irNLiFyahqqi3+dPkRo8PrfC5dbCT3RmQGEc
-----END CERTIFICATE-----`,
  privateKey: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3l7Op+MEo9UHRnbB
olFmiyZnHKPXcN77T0OLQM9HeZ6hRANCAAThOcXaVTNol2X02909fLF5Ass9cGmA
s5lNB/pv+EcnEqRYOgTVpeeF3ns/T3NS0eRmZ4t8zBAP4KajWvZYBZ1w
-----END PRIVATE KEY-----`,
} as const;
