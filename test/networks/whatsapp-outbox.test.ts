import { expect, onTestFinished, test } from 'vitest';
import { startWhatsAppServer } from 'whatsapp-test-server';
import { Acks } from '../../src/networks/whatsapp/worker/sending/acks.ts';
import type { Wire } from '../../src/networks/whatsapp/worker/sending/link-memory.ts';
import { Outbox } from '../../src/networks/whatsapp/worker/sending/outbox.ts';
import type { KeptMessages } from '../../src/networks/whatsapp/worker/sending/receipts/sent-messages.ts';
import { Recipients } from '../../src/networks/whatsapp/worker/sending/recipients.ts';
import type { Ready } from '../../src/networks/whatsapp/worker/sending/stanza.ts';
import { createSendingRig, newId } from './whatsapp-sending-rig.ts';

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

test('a message that cannot be encoded is not sent, and those that are encrypted with it are', async () => {
  const server = await startWhatsAppServer({ strictness: { refreshAtScan: false } });
  onTestFinished(() => server.close());
  const rig = await createSendingRig(server, '491701234567');
  onTestFinished(() => rig.close());
  const { sock, memory } = rig;
  const log = { warn: () => undefined, error: () => undefined };
  const wire: Wire = { sock, memory, keysSoon: sock.authState.keys, log, agent: null };
  const recipients = new Recipients(wire, 8_000);
  const acks = new Acks(sock.ws, 8_000);
  onTestFinished(() => [recipients, acks].forEach((part) => void part.close()));
  const [broken, ...sound] = Array.from({ length: 4 }, newId);
  const kept = {
    keep(id: string) {
      if (id === broken) throw new Error('it cannot be encoded');
    },
  };
  const outbox = new Outbox(wire, { recipients, acks, kept: kept as unknown as KeptMessages, withinMs: 60_000 });
  const recipient = await recipients.find('34600111222');
  if (typeof recipient === 'string') throw new Error(recipient);
  const handOver = async (id: string) => {
    const ready: Ready = { id, recipient, own: [], message: { type: 'text', message: { conversation: id } }, token: null, audience: 'all' };
    const result = await outbox.handOver(Promise.resolve(ready));
    return result !== null && typeof result !== 'string' && result.ack !== null;
  };
  expect(await Promise.all([broken ?? '', ...sound].map(handOver))).toEqual([false, true, true, true]);
  expect(rig.written.map(({ attrs }) => attrs.id)).toEqual(sound);
});
