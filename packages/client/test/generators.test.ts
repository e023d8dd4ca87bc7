import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { generate } from 'orval';
import { afterAll, beforeAll, describe, test } from 'vitest';

const file = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url));
// The version that this repository checks with; it takes a fraction of the time.
const compiler = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'client-generators-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Compiles what is in this folder and a program that uses it; fails with what the compiler says. */
function compile(name: string, program: string): void {
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'program.ts'), program);
  const compilerOptions = {
    ...{ target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], module: 'esnext', moduleResolution: 'bundler', types: [] },
    ...{ strict: true, noUncheckedIndexedAccess: true, noImplicitOverride: true, noEmit: true },
  };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
  try {
    execFileSync(process.execPath, [compiler, '-p', place], { encoding: 'utf8' });
  } catch (error) {
    throw new Error(error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error));
  }
}

describe('what others generate from docs/openapi.json compiles, and has types to work with', () => {
  test('openapi-typescript', async () => {
    const types = astToString(await openapiTypes(JSON.parse(readFileSync(file, 'utf8')) as OpenAPI3));
    mkdirSync(join(folder, 'openapi-typescript'));
    writeFileSync(join(folder, 'openapi-typescript', 'api.ts'), types);
    compile(
      'openapi-typescript',
      `import type { components, paths } from './api';
type Responses = paths['/v1/messages/text']['post']['responses'];
export const idOf = (answer: Responses[200]['content']['application/json']): string | null => answer.data.message_id;
export const codeOf = (answer: Responses[429]['content']['application/json']): components['schemas']['ApiError']['code'] => answer.error.code;
export const waitOf = ({ error }: components['schemas']['ErrorEnvelope']): number | undefined => error.details?.retry_after_seconds;
export const eventsOf = ({ data }: components['schemas']['MessagesWebhook']): string[] => data.events.map(({ message_id }) => message_id);
`,
    );
  });

  test('@hey-api/openapi-ts', async () => {
    const output = join(folder, 'hey-api', 'api');
    await createClient({
      ...{ input: file, output, logs: { level: 'silent' } },
      plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    });
    compile(
      'hey-api',
      `import { sendText } from './api';
import type { ApiError, MessagesWebhook } from './api';
export async function send(instance_id: string): Promise<string | null> {
  const { data, error } = await sendText({ body: { instance_id, to: '491701234567', text: 'Hello' } });
  if (data === undefined) throw new Error(codeOf(error.error));
  return data.data.message_id;
}
const codeOf = ({ code, details }: ApiError): string => code === 'rate_limit_exceeded' ? String(details?.retry_after_seconds) : code;
export const eventsOf = ({ data }: MessagesWebhook): string[] => data.events.map(({ message_id }) => message_id);
`,
    );
  });

  test('orval', async () => {
    await generate({
      input: { target: file },
      output: { target: join(folder, 'orval', 'api.ts'), client: 'fetch', mode: 'single' },
    });
    compile(
      'orval',
      `import { sendText } from './api';
import type { ApiError } from './api';
export async function send(instance_id: string): Promise<string | null> {
  const { status, data } = await sendText({ instance_id, to: '491701234567', text: 'Hello' });
  if (status !== 200) throw new Error(codeOf(data.error));
  return data.data.message_id;
}
const codeOf = ({ code, details }: ApiError): string => code === 'rate_limit_exceeded' ? String(details?.retry_after_seconds) : code;
`,
    );
  });
});
