import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, getDefaultAutoSelectFamilyAttemptTimeout, setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { TLSSocket } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { waitForSlowHandshakes } from '../../src/core/index.ts';
import { failureOf, hostName, inMediaWorld, until } from './media-world.ts';
import { testCertificate, testPrivateKey } from './tls-fixture.ts';

describe('the connection goes to the checked address', () => {
  test('although the name answers differently the second time (DNS rebinding) [media.pinned]', async () => {
    let lookups = 0;
    await inMediaWorld(
      (_request, response) => response.end('checked'),
      async (world) => {
        let reached = false;
        const other = createServer((_request, response) => {
          reached = true;
          response.end('other');
        }).listen(world.port, '127.0.0.2');
        await once(other, 'listening');
        const media = await world.fetch(world.url());
        expect(media.size).toBe('checked'.length);
        expect(reached).toBe(false);
        expect(lookups).toBe(1);
        expect(world.requests[0]?.headers.host).toBe(`${hostName}:${world.port}`);
        await media.release();
        other.close();
      },
      { lookup: async () => [`127.0.0.${++lookups}`] },
    );
  });

  test('to the next checked address when the first does not answer', async () => {
    await inMediaWorld(
      (_request, response) => response.end('content'),
      async (world) => {
        await (await world.fetch(world.url())).release();
        expect(world.requests).toHaveLength(1);
      },
      { lookup: async () => ['127.0.0.3', '127.0.0.1'] },
    );
  });

  test('which a literal address is itself', async () => {
    await inMediaWorld(
      (_request, response) => response.end('content'),
      async (world) => {
        await (await world.fetch(`http://2130706433:${world.port}/`)).release();
        expect(world.requests[0]?.headers.host).toBe(`127.0.0.1:${world.port}`);
      },
      { allowHosts: ['127.0.0.1'], lookup: () => Promise.reject(new Error('a literal address needs no lookup')) },
    );
  });
});

test('a handshake may take longer than a second, although the name has another address, which cannot be reached', async () => {
  const usual = getDefaultAutoSelectFamilyAttemptTimeout();
  waitForSlowHandshakes();
  // It takes no connection before it is woken up.
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const server = new Worker(
    `const { parentPort, workerData: gate } = require('node:worker_threads');
    const server = require('node:http').createServer((request, response) => response.end('content'));
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      Atomics.wait(gate, 0, 0);
    });`,
    { eval: true, workerData: gate },
  );
  const [port] = await once(server, 'message');
  // Two fit into the queue; the third and what is fetched ask again after a second.
  const others = [1, 2, 3].map(() => connect(port, '127.0.0.1').on('error', () => undefined));
  await until(() => asking(port) === 1);
  await inMediaWorld(
    () => {},
    async (world) => {
      const fetching = world.fetch(`http://${hostName}:${port}/`);
      await until(() => asking(port) === 2);
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);
      await (await fetching).release();
    },
    { lookup: async () => ['127.0.0.1', '127.0.0.2'] },
  ).finally(async () => {
    setDefaultAutoSelectFamilyAttemptTimeout(usual);
    for (const other of others) other.destroy();
    await server.terminate();
  });
});

/** How many connections to a port of this machine have not been answered. */
function asking(port: number): number {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync('/proc/net/tcp', 'utf8').split(`0100007F:${hex} 02`).length - 1;
}

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));

test('IPv6, literal and by name', async () => {
  expect(hasIpv6, 'this test needs the IPv6 loopback address ::1').toBe(true);
  const hosts: unknown[] = [];
  const server = createServer((request, response) => {
    hosts.push(request.headers.host);
    response.end('content');
  }).listen(0, '::1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await inMediaWorld(
    () => {},
    async (world) => {
      await (await world.fetch(`http://[0::1]:${port}/`)).release();
      await (await world.fetch(`http://${hostName}:${port}/`)).release();
      expect(hosts).toEqual([`[::1]:${port}`, `${hostName}:${port}`]);
    },
    { allowHosts: ['[::1]', hostName], lookup: async () => ['::1'] },
  );
  server.close();
});

describe('https', () => {
  async function inSecureWorld(
    name: string,
    trusted: boolean,
    run: (fetching: Promise<unknown>, seen: { servername: unknown; host: unknown }) => Promise<void>,
  ): Promise<void> {
    const seen: { servername: unknown; host: unknown } = { servername: null, host: null };
    const server = createSecureServer({ cert: testCertificate, key: testPrivateKey }, (request, response) => {
      seen.servername = (request.socket as TLSSocket).servername;
      seen.host = request.headers.host;
      response.end('content');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await inMediaWorld(
      () => {},
      async (world) => {
        const fetching = world.fetch(`https://${name}:${port}/`).then((media) => media.release());
        await run(fetching, seen);
        expect(await world.files()).toEqual([]);
      },
      { allowHosts: [hostName, 'other.example.test'], ...(trusted ? { certificateAuthorities: testCertificate } : {}) },
    );
    server.close();
  }

  test('speaks of the name, not of the address', async () => {
    await inSecureWorld(hostName, true, async (fetching, seen) => {
      await fetching;
      expect(seen).toEqual({ servername: hostName, host: expect.stringMatching(/^files\.example\.test:\d+$/) });
    });
  });

  test('works for a fully qualified name', async () => {
    await inSecureWorld(`${hostName}.`, true, async (fetching, seen) => {
      await fetching;
      expect(seen.servername).toBe(hostName);
    });
  });

  test.each([
    ['a certificate for another name', 'other.example.test', true],
    ['an untrusted certificate', hostName, false],
  ])('refuses %s', async (_case, name, trusted) => {
    await inSecureWorld(name, trusted, async (fetching, seen) => {
      const error = await failureOf(fetching);
      expect(error.code).toBe('media_fetch_failed');
      expect(error.message).not.toMatch(/certificate|altname/i);
      expect(seen.host).toBeNull();
    });
  });
});
