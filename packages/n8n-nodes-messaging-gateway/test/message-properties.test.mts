import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Document, messagesSource } from './message-properties.mts';

// `npm run messages` writes the file.
test('nodes/MessagingGateway/messages.ts has the kinds of docs/openapi.json', async () => {
  const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as Document;
  await expect(messagesSource(document)).toMatchFileSnapshot('../nodes/MessagingGateway/messages.ts');
});
