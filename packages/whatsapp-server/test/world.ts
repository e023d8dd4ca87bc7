import type { UserFacingSocketConfig } from 'baileys';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { startWhatsAppServer, type WhatsAppServer, type WhatsAppServerOptions } from '../src/index.ts';
import { lenient } from '../src/strictness.ts';
import { type Client, type Credentials, connect, link } from './client.ts';

export interface World {
  readonly server: WhatsAppServer;
  /** A number nobody has used yet. */
  number(): string;
  link(number: string, options?: Partial<UserFacingSocketConfig>): Promise<{ client: Client; credentials: Credentials }>;
  connect(credentials: Credentials, options?: Partial<UserFacingSocketConfig>): Client;
}

/** One server for the tests of a file; faults are cleared and clients stopped after each. */
export function createWorld(options: WhatsAppServerOptions = {}): World {
  const clients: Client[] = [];
  let running: WhatsAppServer | null = null;
  let lastNumber = 4915200000000;

  function server(): WhatsAppServer {
    if (!running) throw new Error('the server is started before the first test');
    return running;
  }

  beforeAll(async () => {
    // Baileys as it comes does not know what the network asks of it.
    running = await startWhatsAppServer({ ...options, strictness: { ...lenient, ...options.strictness } });
  });
  afterEach(async () => {
    server().faults.clear();
    await Promise.all(clients.splice(0).map((client) => client.stop()));
  });
  afterAll(() => running?.close());

  return {
    get server() {
      return server();
    },
    number: () => {
      lastNumber += 1;
      return String(lastNumber);
    },
    link: async (number, socketOptions) => {
      const linked = await link(server(), number, socketOptions);
      clients.push(linked.client);
      return linked;
    },
    connect: (credentials, socketOptions) => {
      const client = connect(server(), credentials, socketOptions);
      clients.push(client);
      return client;
    },
  };
}

export function jid(number: string): string {
  return `${number}@s.whatsapp.net`;
}
