import { expect, test } from 'vitest';
import { readDocument } from '../scripts/clients/document.ts';
import { phpClient } from '../scripts/clients/php.ts';
import { pythonClient } from '../scripts/clients/python.ts';

// `npm run clients` writes the files.
test('the Python and PHP clients are what is made from docs/openapi.json', async () => {
  const document = readDocument();
  await expect(pythonClient(document)).toMatchFileSnapshot('../packages/client-python/messaging_gateway.py');
  await expect(phpClient(document)).toMatchFileSnapshot('../packages/client-php/MessagingGateway.php');
});
