import type { Gateway } from '../src/index.ts';

/** The id of a new instance that a phone of the sandbox network has scanned. */
export async function linkedInstance(gateway: Gateway, phone_number: string): Promise<string> {
  const { instance_id } = await gateway.createInstance({ network: 'sandbox' });
  for await (const step of gateway.pair(instance_id, { intervalMs: 50 })) {
    if (step.type === 'code') await gateway.sandboxScan({ code: step.qrcode.code, phone_number });
    if (step.type === 'linked') return instance_id;
  }
  throw new Error('the number was not linked');
}
