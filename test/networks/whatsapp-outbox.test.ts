import { expect, test } from 'vitest';
import type { Wire } from '../../src/networks/whatsapp/worker/sending/link-memory.ts';
import { Outbox } from '../../src/networks/whatsapp/worker/sending/outbox.ts';
import type { Ready } from '../../src/networks/whatsapp/worker/sending/stanza.ts';

test('a message that cannot be encoded is not sent, and does not hold up the ones after it', async () => {
  const warnings: string[] = [];
  const wire = { log: { warn: (_: unknown, message: string) => warnings.push(message) } } as unknown as Wire;
  const kept = {
    keep() {
      throw new Error('it cannot be encoded');
    },
  };
  const outbox = new Outbox(wire, { kept, withinMs: 60_000 } as unknown as ConstructorParameters<typeof Outbox>[1]);
  const recipient = { jid: '34600111222@s.whatsapp.net', space: 'pn', person: { lid: null, pn: null }, devices: [] };
  const ready = { id: 'message', recipient, audience: 'all' } as unknown as Ready;
  for (let sends = 1; sends <= 2; sends++) {
    expect(await outbox.handOver(Promise.resolve(ready))).toEqual({ ready, ack: null });
    expect(warnings).toHaveLength(sends);
  }
});
