import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

describe('letting go of a linked number', () => {
  let world: WhatsAppWorld;
  beforeAll(async () => {
    world = await startWhatsAppWorld();
  });
  afterAll(() => world?.close());

  it('answers 502 while WhatsApp does not answer, keeps the number linked, and unlinks it later', async () => {
    const { server, customer } = world;
    const phone = world.somebody();
    const id = await world.linkedNumber(phone.number);
    server.faults.refuseConnections(true);
    await server.faults.end(phone.number, { kind: 'drop' });
    await customer.reaches(id, 'connecting');

    const refused = await customer.call('DELETE', `/v1/instances/${id}`);
    expect(refused.status).toBe(502);
    expect(refused.body.error.code).toBe('upstream_unavailable');
    expect(server.record.logouts).not.toContain(phone.number);
    expect(await world.records(id)).toBeGreaterThan(0);

    server.faults.refuseConnections(false);
    await customer.reaches(id, 'open');
    const removed = await customer.call('DELETE', `/v1/instances/${id}`);
    expect(removed.body.data).toMatchObject({ deleted: true });
    expect(server.record.logouts).toContain(phone.number);
    expect(await world.records(id)).toBe(0);
  });
});
