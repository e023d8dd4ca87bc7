import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { newId } from '../../src/core/index.ts';
import { EventLog } from './event-log.ts';
import { MemoryCredentials } from './memory-credentials.ts';
import { setupWhatsApp } from './whatsapp-fixture.ts';

test('a server whose certificate does not come from the trusted root is not talked to', async () => {
  const fixture = await setupWhatsApp({ rootKey: randomBytes(32) });
  const log = new EventLog();
  const link = fixture.network.open({
    instanceId: newId(),
    accountId: newId(),
    credentials: new MemoryCredentials(),
    proxy: null,
    onEvent: log.onEvent,
    storeEvents: async () => undefined,
  });
  expect(await log.next('closed')).toMatchObject({ reason: 'lost' });
  await link.close();
  await fixture.network.close();
  await fixture.close();
});
