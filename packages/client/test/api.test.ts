import { readFileSync } from 'node:fs';
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { expect, test } from 'vitest';

const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as OpenAPI3;

// `npm run types` writes the file.
test('src/api.ts has the types of docs/openapi.json', async () => {
  // The methods name their paths themselves, so only the bodies are needed.
  const all = Object.entries(document.components?.schemas ?? {});
  const schemas = Object.fromEntries(all.filter(([name]) => !name.endsWith('Success')));
  const types = await openapiTypes(
    { openapi: '3.1.0', info: document.info, paths: {}, components: { schemas } },
    { defaultNonNullable: false },
  );
  await expect(astToString(types)).toMatchFileSnapshot('../src/api.ts');
});
