import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { openSockets } from '../support/open-sockets.ts';
import { waitFor } from '../support/wait-for.ts';
import { createSenders, linkNumbers } from './customers.ts';
import { createLoadClient, workOff } from './load-client.ts';

const vanished = 300;

it('clients that vanish in the middle of a body leave no socket behind, and what others do is not disturbed', async () => {
  const gateway = await startGateway('sqlite', { env: { LOG_LEVEL: 'error' } });
  try {
    const client = createLoadClient(gateway.address);
    const [sender] = await linkNumbers(client, await createSenders(gateway.app.store, 1));
    await client.close();
    const before = openSockets();
    const { hostname, port } = new URL(gateway.address);
    const head = `POST /v1/messages/text HTTP/1.1\r\nhost: x\r\napikey: ${sender?.key}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\nexpect: 100-continue\r\n\r\n`;
    await workOff(Array.from({ length: vanished }).keys(), 30, async (n) => {
      const socket: Socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(head);
      // Its "continue" shows that the server waits for the body.
      await once(socket, 'data');
      socket.write('{"text": "half a bo');
      if (n % 2 === 0) socket.destroy();
      else socket.resetAndDestroy();
      await once(socket, 'close');
      return undefined;
    });
    const again = createLoadClient(gateway.address);
    const sent = await again.call({
      path: '/v1/messages/text',
      key: sender?.key ?? '',
      body: { instance_id: sender?.instanceId, to: '491701230100', text: 'x' },
    });
    expect(sent.status).toBe(200);
    await again.close();
    // Both ends live in this process; when the last one goes is the operating system's affair.
    await waitFor(() => expect(openSockets()).toBeLessThanOrEqual(before));
    expect(gateway.logged()).toBe('');
  } finally {
    await gateway.stop();
  }
});
