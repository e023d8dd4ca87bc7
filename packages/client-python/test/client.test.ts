import { expect, test } from 'vitest';
import { classOf, clientSuite } from '../../client/test/suite/client-suite.ts';
import { DrivenClient } from '../../client/test/suite/driver.ts';
import { givenSuite } from '../../client/test/suite/given-suite.ts';
import { startScriptedGateway } from '../../client/test/suite/scripted-gateway.ts';
import { start } from './driver.ts';

clientSuite(start, { noAnswer: 'NoAnswerError', webhook: 'WebhookError', refusal: classOf }, 1000);
givenSuite(start);

test('many messages: what cannot be kept as done is raised also when the reader has left', async () => {
  const driver = start();
  const scripted = await startScriptedGateway({ late: '4917000000' });
  try {
    const gateway = await DrivenClient.open(driver, { base_url: scripted.address, api_key: 'x' });
    const messages = ['4917000000', '4917000001'].map((to) => ({ type: 'text', instance_id: 'x', to, text: 'x' }));
    const reading = { done: [], leaveAfter: 1, unrecorded: 'newsletter:0' };
    const { sent, failure, done } = await gateway.sendAll(messages, { job: 'newsletter' }, reading);
    expect(sent).toMatchObject([{ idempotency_key: 'newsletter:1' }]);
    expect(failure?.message).toBe('The disk is full.');
    expect(done).toEqual(['newsletter:1']);
  } finally {
    await driver.stop();
    await scripted.close();
  }
});
