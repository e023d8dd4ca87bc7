import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { createSenders, linkNumbers } from './customers.ts';
import { createLoadClient } from './load-client.ts';
import { createGround } from './stores.ts';

it('a client that keeps its connection open after its last answer does not hold up a stop', async () => {
  const ground = await createGround('sqlite');
  try {
    const store = await ground.database.open();
    const accounts = await createSenders(store, 1);
    await store.close();
    const server = ground.start();
    const address = new URL(await server.ready);
    const client = createLoadClient(address.origin);
    const [sender] = await linkNumbers(client, accounts);
    await client.close();

    const socket = connect(Number(address.port), address.hostname);
    await once(socket, 'connect');
    let heard = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
    });
    const closed = once(socket, 'close');
    // The acknowledgement takes three seconds, so the signal comes while the request is under way.
    const body = JSON.stringify({ instance_id: sender?.instanceId, to: '491701230005', text: 'x' });
    const head = `POST /v1/messages/text HTTP/1.1\r\nhost: x\r\napikey: ${sender?.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
    socket.write(`${head}\r\nexpect: 100-continue\r\n\r\n`);
    // Its "continue" shows that the request has been read.
    await once(socket, 'data');
    socket.write(body);
    const ending = await server.terminate();
    await closed;
    expect(heard).toContain('HTTP/1.1 200 OK');
    expect({ ...ending, stderr: server.stderr() }).toEqual({ code: 0, signal: null, stderr: '' });
  } finally {
    await ground.dispose();
  }
});

it('connections on which nothing was asked do not hold up a stop [stop.order]', async () => {
  const ground = await createGround('sqlite');
  try {
    const server = ground.start();
    const { hostname, port } = new URL(await server.ready);
    const opened = ['', 'GET /hea', 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n'].map(async (said) => {
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
      await once(socket, 'connect');
      socket.write(said);
      return socket;
    });
    const sockets = await Promise.all(opened);
    const ending = await server.terminate();
    expect({ ...ending, stderr: server.stderr() }).toEqual({ code: 0, signal: null, stderr: '' });
    for (const socket of sockets) socket.destroy();
  } finally {
    await ground.dispose();
  }
});
