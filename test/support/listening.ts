import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Has a server listen on a free port. Its connections, and others that are tracked with them, can be cut off; their errors are swallowed. */
export async function listening(server: Server, host = '127.0.0.1') {
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  server.on('connection', track).listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    sockets,
    track,
    cut,
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
