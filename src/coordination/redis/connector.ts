import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AbstractConnector } from 'ioredis';
import type { RedisAddress } from './redis-url.ts';

/** How long the end of a connection is waited for before it is broken off. */
const endMs = 500;

/**
 * The kind of connection that a client makes to this address. The library's own listens to the first error of a connection alone; TLS may
 * report a second one while it ends, which would end the process.
 */
export function connectorTo({ host, port, tls }: RedisAddress) {
  return class Connector extends AbstractConnector {
    constructor() {
      super(endMs);
    }

    override async connect(): Promise<Socket> {
      const stream = tls ? connectTls({ host, port }) : connectPlain({ host, port });
      stream.on('error', (error) => {
        this.firstError ??= error;
      });
      this.connecting = true;
      this.stream = stream;
      return stream;
    }
  };
}
