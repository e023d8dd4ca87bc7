import { once } from 'node:events';
import { createServer } from 'node:net';

/** Whether nobody uses this port of 127.0.0.1 at this moment. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const free = await Promise.race([once(server, 'listening').then(() => true), once(server, 'error').then(() => false)]).catch(() => false);
  if (free) await once(server.close(), 'close');
  return free;
}
