import { expect, test } from 'vitest';
import type { ApiDocument } from '../../scripts/docs/openapi.ts';
import { postmanCollection } from '../../scripts/postman.ts';
import { exampleBase } from '../../src/samples/index.ts';
import { useGateway } from '../support/use-gateway.ts';

const { gateway } = useGateway({ env: { NETWORKS: 'whatsapp,sandbox', PUBLIC_URL: exampleBase } });

// `npm run openapi` writes both files.
test('docs/openapi.json is what the server answers, and docs/postman.json what is made from it', async () => {
  const body = (await gateway.call('GET', '/openapi.json')).body as ApiDocument;
  await expect(json(body)).toMatchFileSnapshot('../../docs/openapi.json');
  await expect(json(postmanCollection(body))).toMatchFileSnapshot('../../docs/postman.json');
});

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
