import { expect, it } from 'vitest';
import { ToldSecrets } from './told-secrets.ts';

it('finds keys and texts in a log, and leaves ids, numbers and short words alone', () => {
  const told = new ToldSecrets();
  told.addKey('mgw_abcdefgh_0123456789');
  told.addBody({ text: 'Meet me at noon', caption: 'Hello', to: '491701234567', instance_id: '0190a0a0-0000-7000-8000-000000000001' });
  told.addBody({ question: `half a pair ${'\ud83d'}` });
  expect(() => told.check('{"msg":"Hello 491701234567 of 0190a0a0-0000-7000-8000-000000000001"}')).not.toThrow();
  expect(() => told.check('{"msg":"key mgw_abcdefgh_0123456789"}')).toThrow('an API key');
  expect(() => told.check('{"msg":"said: Meet me at noon"}')).toThrow("a message's text");
});
