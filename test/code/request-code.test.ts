import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CodeLanguage, codeLanguages, codeOf, type RequestInCode } from '../../src/code/index.ts';
import { allKinds } from '../../src/kinds/index.ts';
import { samplesAt } from '../../src/samples/index.ts';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { languagePrograms } from '../support/languages.ts';

// Every example of every kind, as the portal and the docs page show it in each language, run as a reader would run it.

let gateway: TestGateway;
let customer: Customer;
let instance_id: string;
let folder: string;
let run: Readonly<Record<CodeLanguage, (file: string) => readonly [string, ...string[]]>>;
beforeAll(async () => {
  const { sh, node, python, php } = languagePrograms();
  run = {
    curl: (file) => [sh, file],
    // Node.js takes the types out of what it runs.
    typescript: (file) => [node, file],
    python: (file) => [python, file],
    php: (file) => [php, file],
  };
  folder = mkdtempSync(join(tmpdir(), 'gateway-code-'));
  gateway = await startGateway('sqlite', { env: { NETWORKS: 'sandbox' }, overrides: { lookup: async () => ['93.184.216.34'] } });
  customer = await gateway.customer();
  instance_id = await customer.linked();
});
afterAll(async () => {
  await gateway?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const endings: Readonly<Record<CodeLanguage, string>> = { curl: 'sh', typescript: 'mts', python: 'py', php: 'php' };
let files = 0;

async function runs(language: CodeLanguage, request: RequestInCode): Promise<string> {
  const file = join(folder, `${++files}.${endings[language]}`);
  writeFileSync(file, codeOf(language, request));
  const [program, ...words] = run[language](file);
  return (await promisify(execFile)(program, words, { encoding: 'utf8' })).stdout;
}

let contacts = 0;
const newContact = () => `49170${3_000_010 + ++contacts * 10}`;

describe.each(codeLanguages)('in $name', ({ id: language }) => {
  test.each(allKinds.flatMap((kind) => Object.entries(kind.examples).map(([name, example]) => ({ kind, name, example }))))(
    '$kind.type, example $name, is sent and arrives',
    async ({ kind, example }) => {
      const to = newContact();
      const own = JSON.parse(samplesAt(JSON.stringify(example), gateway.address));
      const answer = await runs(language, {
        method: 'POST',
        url: `${gateway.address}/v1/messages/${kind.type}`,
        body: { instance_id, to: `+${to}`, ...own },
        apiKey: customer.key,
        idempotencyKey: `order-1042:${to}`,
      });
      expect(answer).toMatch(/"success":true/);
      const [arrived, ...more] = await customer.received(to);
      expect(more).toEqual([]);
      const { url: _, mime_type: __, ...fields } = own;
      const parsed = kind.content(kind.schema.parse({ instance_id, to, ...own }));
      expect(arrived).toMatchObject({ type: kind.type, content: kind.media === null ? parsed : fields });
      if (kind.media !== null)
        expect(arrived.content).toMatchObject({ size: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    },
  );

  test('what is hard to write arrives as it was written', async () => {
    const to = newContact();
    const text = `It's "50 %" of $HOME \\ \`id\` {$x} \${y} <?php ?> Ünï 😀 👩‍💻\nnext\tline`;
    const key = `order-1042:${language}`;
    const request: RequestInCode = {
      method: 'POST',
      url: `${gateway.address}/v1/messages/text`,
      body: { instance_id, to, text },
      apiKey: customer.key,
      idempotencyKey: key,
    };
    await runs(language, request);
    await runs(language, request);
    expect(await customer.received(to)).toEqual([expect.objectContaining({ content: { text } })]);
  });

  test('a message whose outcome is unknown is tried again under the same key, and arrives once', async () => {
    // The sandbox loses the first acknowledgement for a number ending in 0004.
    const to = `49171${codeLanguages.findIndex(({ id }) => id === language)}110004`;
    const answer = await runs(language, {
      method: 'POST',
      url: `${gateway.address}/v1/messages/text`,
      body: { instance_id, to, text: 'Your parcel is on its way' },
      apiKey: customer.key,
      idempotencyKey: `order-1042:${to}`,
    });
    expect(answer).toMatch(/upstream_unavailable[\s\S]*"success":true/);
    expect(await customer.received(to)).toHaveLength(1);
  });

  test('a request without a body, and one that is refused, tell what came back', async () => {
    const list = { method: 'GET', url: `${gateway.address}/v1/instances`, apiKey: customer.key, idempotencyKey: null } as const;
    expect(await runs(language, list)).toContain(instance_id);
    expect(await runs(language, { ...list, apiKey: 'mgw_unknown' })).toContain('invalid_api_key');
    const renamed = { ...list, method: 'PATCH', url: `${list.url}/${instance_id}`, body: { label: `by ${language}` } };
    expect(await runs(language, renamed)).toContain(`by ${language}`);
    expect(await runs(language, { ...list, method: 'POST', body: {} })).toContain('qrcode');
    expect(await runs(language, { ...list, url: `${gateway.address}/health`, apiKey: null })).toContain('success');
  });
});

test('the TypeScript passes a strict type check', async () => {
  const checked = join(folder, 'checked');
  mkdirSync(checked);
  for (const kind of allKinds) {
    for (const [name, example] of Object.entries(kind.examples)) {
      const request = { method: 'POST', url: 'https://gateway.example.com/v1/messages/x', body: example, apiKey: 'YOUR_API_KEY' } as const;
      for (const idempotencyKey of ['order-1042:x', null])
        writeFileSync(
          join(checked, `${kind.type}-${name}-${idempotencyKey === null}.mts`),
          codeOf('typescript', { ...request, idempotencyKey }),
        );
    }
  }
  const types = join(import.meta.dirname, '..', '..', 'node_modules', '@types');
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'nodenext',
    moduleDetection: 'force',
    lib: ['es2022', 'dom'],
    types: ['node'],
    typeRoots: [types],
    skipLibCheck: true,
  };
  writeFileSync(join(checked, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts'] }));
  const tsc = join(import.meta.dirname, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', checked]).catch(({ stdout }) => expect(stdout).toBe(''));
});
