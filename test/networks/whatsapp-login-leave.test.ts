import { expect, test } from 'vitest';
import { OwnershipLost } from '../../src/core/index.ts';
import { openLink, pairedLink } from './fixture.ts';
import { MemoryCredentials } from './memory-credentials.ts';
import { textMessage } from './outgoing.ts';
import { useWhatsApp } from './whatsapp-fixture.ts';

const whatsapp = useWhatsApp();

// A server that was halted while it connected goes on where it was; a login would disconnect the server that has the number by now.
test('a link does not log in with a number that is another server’s by now', async () => {
  const fixture = await whatsapp();
  const { network, numbers } = fixture;
  const { link: owner, credentials, instanceId } = await pairedLink(fixture, '491701234567');
  const halted = new MemoryCredentials();
  for (const [name, record] of credentials.records) halted.records.set(name, record);
  halted.beforeLogin = () => Promise.reject(new OwnershipLost());
  const { log } = openLink(fixture, { instanceId, credentials: halted });
  expect(await log.next('closed')).toMatchObject({ reason: 'lost' });
  expect(await owner.probe()).toBe(true);
  expect(await owner.send(textMessage(network, numbers.ordinary[0], 'still here'))).toMatchObject({ outcome: 'accepted' });
  await owner.close();
});
