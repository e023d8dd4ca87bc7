import { expect, test } from 'vitest';
import { exampleBase } from '../../src/samples/index.ts';
import { useGateway } from '../support/use-gateway.ts';

const { gateway } = useGateway({ env: { NETWORKS: 'whatsapp,sandbox', PUBLIC_URL: exampleBase } });

// `npm run openapi` writes the file.
test('docs/openapi.json is what the server answers', async () => {
  const { body } = await gateway.call('GET', '/openapi.json');
  await expect(`${JSON.stringify(body, null, 2)}\n`).toMatchFileSnapshot('../../docs/openapi.json');
});
