import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { listening } from './listening.ts';

/** A proxy on this machine that asks for a user and a password and notes where it was asked to connect to. */
export interface ProxyServer {
  /** With user and password. */
  readonly url: string;
  readonly password: string;
  /** `host:port` of each connection that was asked for. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const user = 'operator';
const password = 'a-secret-of-the-proxy';

/** SOCKS 5 with user and password (RFC 1928, RFC 1929), for addresses and names. */
export function startSocksProxy(): Promise<ProxyServer> {
  const asked: string[] = [];
  const server = createServer((client) => {
    void talk(client, asked).catch(() => client.destroy());
  });
  return proxyAt(server, 'socks5', asked);
}

/** HTTP CONNECT with basic authentication. */
export function startHttpProxy(): Promise<ProxyServer> {
  const asked: string[] = [];
  const server = createHttpServer();
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  server.on('connect', ({ url = '', headers }, client: Socket) => {
    if (headers['proxy-authorization'] !== expected) return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    asked.push(url);
    const [host = '', port = ''] = url.split(':');
    const target = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      join(client, target);
    });
    target.on('error', () => client.destroy());
  });
  return proxyAt(server, 'http', asked);
}

async function talk(client: Socket, asked: string[]): Promise<void> {
  const read = reader(client);
  const [, methods = 0] = await read(2);
  await read(methods);
  client.write(Buffer.of(5, 2));
  const [, userLength = 0] = await read(2);
  const name = (await read(userLength)).toString();
  const [passwordLength = 0] = await read(1);
  const given = (await read(passwordLength)).toString();
  if (name !== user || given !== password) return void client.end(Buffer.of(1, 1));
  client.write(Buffer.of(1, 0));
  const [, , , kind] = await read(4);
  const host = kind === 1 ? [...(await read(4))].join('.') : (await read((await read(1))[0] ?? 0)).toString();
  const port = (await read(2)).readUInt16BE();
  asked.push(`${host}:${port}`);
  const target = connect(port, host, () => {
    client.write(Buffer.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
    client.off('readable', read.wake);
    join(client, target);
  });
  target.on('error', () => client.destroy());
}

/** Gives the next so many bytes, once they are there. */
function reader(client: Socket) {
  let waiting: (() => void) | null = null;
  const wake = () => waiting?.();
  client.on('readable', wake);
  client.on('close', wake);
  const read = async (length: number): Promise<Buffer> => {
    if (length === 0) return Buffer.alloc(0);
    for (;;) {
      const bytes: Buffer | null = client.read(length);
      if (bytes !== null) return bytes;
      if (client.destroyed) throw new Error('the client has gone');
      await new Promise<void>((resolve) => {
        waiting = resolve;
      });
    }
  };
  return Object.assign(read, { wake });
}

function join(client: Socket, target: Socket): void {
  client.pipe(target).pipe(client);
  client.on('close', () => target.destroy());
  target.on('close', () => client.destroy());
}

async function proxyAt(server: Server, scheme: string, asked: string[]): Promise<ProxyServer> {
  const { port, close } = await listening(server);
  return { url: `${scheme}://${user}:${password}@127.0.0.1:${port}`, password, asked, close };
}
