import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createLookup, type Lookup } from '../../src/media/lookup.ts';

/** Answers questions of type A or AAAA (RFC 1035) with these addresses; other names do not exist. */
async function withNameServer(
  records: Record<string, { readonly type: 1 | 28; readonly address: Buffer }[]>,
  run: (lookup: Lookup) => Promise<void>,
): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('message', (query, sender) => {
    let end = 12;
    const labels: string[] = [];
    for (let length = query.readUInt8(end); length > 0; length = query.readUInt8(end)) {
      labels.push(query.toString('latin1', end + 1, end + 1 + length));
      end += 1 + length;
    }
    const question = query.subarray(12, end + 5);
    const type = query.readUInt16BE(end + 1);
    const known = records[labels.join('.').toLowerCase()];
    const answers = (known ?? []).filter((record) => record.type === type);
    const header = Buffer.from([0, 0, 0x81, known === undefined ? 0x83 : 0x80, 0, 1, 0, answers.length, 0, 0, 0, 0]);
    query.copy(header, 0, 0, 2);
    // A pointer to the question's name, the type, class IN, one minute, the address.
    const sections = answers.map(({ address }) =>
      Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length]), address]),
    );
    socket.send(Buffer.concat([header, question, ...sections]), sender.port, sender.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  try {
    await run(createLookup([`127.0.0.1:${socket.address().port}`]));
  } finally {
    socket.close();
  }
}

describe('the lookup of the machine', () => {
  test("asks the DNS servers for every address of a customer's name", async () => {
    const ipv6 = Buffer.from('20010db8000000000000000000000001', 'hex');
    const records = {
      'both.example': [
        { type: 1, address: Buffer.from([192, 0, 2, 1]) },
        { type: 1, address: Buffer.from([192, 0, 2, 2]) },
        { type: 28, address: ipv6 },
      ],
      'four.example': [{ type: 1, address: Buffer.from([192, 0, 2, 1]) }],
      'six.example': [{ type: 28, address: ipv6 }],
    } as const;
    await withNameServer({ ...records } as unknown as Parameters<typeof withNameServer>[0], async (lookup) => {
      expect([...(await lookup('both.example', 'public'))].sort()).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
      expect(await lookup('four.example', 'public')).toEqual(['192.0.2.1']);
      expect(await lookup('six.example', 'public')).toEqual(['2001:db8::1']);
      expect(await lookup('none.example', 'public')).toEqual([]);
    });
  });

  test('asks the operating system for a name of the operator', async () => {
    await withNameServer({}, async (lookup) => {
      expect(await lookup('localhost', 'allowed')).toContain('127.0.0.1');
      expect(await lookup('localhost', 'public')).toEqual([]);
    });
  });
});
