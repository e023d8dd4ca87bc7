import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { connect, createServer } from 'node:net';
import { listening } from './listening.ts';

/** Something between the store and where it keeps its data. */
export interface AnswerLoss {
  /** While true, what is written is written, and who wrote it is told that it failed. */
  losing: boolean;
  /** How many answers were lost. */
  readonly lost: number;
  close(): Promise<void>;
}

/** Has the disk refuse to say that the write-ahead log is safe, though it is: the commit before it stands. */
export function loseDiskAnswers(): AnswerLoss & { readonly synced: number } {
  const sync = fs.fdatasync;
  let lost = 0;
  let synced = 0;
  const loss = {
    losing: false,
    get lost() {
      return lost;
    },
    /** How often the disk was waited for. */
    get synced() {
      return synced;
    },
    async close() {
      fs.fdatasync = sync;
      syncBuiltinESMExports();
    },
  };
  const failing = (descriptor: number, told: (error: NodeJS.ErrnoException | null) => void) =>
    sync(descriptor, (error) => {
      synced++;
      if (!loss.losing) return told(error);
      lost++;
      told(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
    });
  fs.fdatasync = Object.assign(failing, { __promisify__: sync.__promisify__ });
  syncBuiltinESMExports();
  return loss;
}

/** A way to PostgreSQL that breaks when the server has done a statement like this, usually a settlement, and says so. `through` leads a connection URL over it. */
export async function loseSettleAnswers(statement = /\0settle(_any)?\0/): Promise<AnswerLoss & { through(url: string): string }> {
  let target = new URL('postgres://localhost');
  let lost = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    let settling = false;
    track(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.on('data', (chunk: Buffer) => {
      // The name of a prepared statement is in the message that binds its values.
      settling ||= loss.losing && statement.test(chunk.toString('latin1'));
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      if (!settling) return void client.write(chunk);
      lost++;
      client.destroy();
    });
  });
  const { port, track, close } = await listening(server);
  const loss = {
    losing: false,
    get lost() {
      return lost;
    },
    through(url: string) {
      target = new URL(url);
      const led = new URL(url);
      led.hostname = '127.0.0.1';
      led.port = String(port);
      return led.href;
    },
    close,
  };
  return loss;
}
