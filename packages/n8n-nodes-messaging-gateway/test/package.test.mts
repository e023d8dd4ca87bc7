import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { MessagingGateway } from '../nodes/MessagingGateway/MessagingGateway.node.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(`${folder}/${file}`, 'utf8');

test('what is published has all that n8n loads, and needs nothing that n8n has not', () => {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder });
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: folder, encoding: 'utf8' }),
  ) as [{ readonly files: readonly { readonly path: string }[] }];
  const files = packed.files.map(({ path }) => path);
  const { n8n, ...manifest } = JSON.parse(read('package.json')) as {
    readonly n8n: { readonly nodes: string[]; readonly credentials: string[] };
  };
  const descriptions = n8n.nodes.map((file) => file.replace(/js$/, 'json'));
  const rest = ['README.md', 'LICENSE.md', 'dist/icons/gateway.svg', 'dist/icons/gateway.dark.svg'];
  expect(files).toEqual(expect.arrayContaining([...n8n.nodes, ...n8n.credentials, ...descriptions, ...rest]));
  expect(manifest).not.toHaveProperty('dependencies');
  const needed = files.filter((file) => file.endsWith('.js')).flatMap((file) => [...read(file).matchAll(/require\("([^"]+)"\)/g)]);
  const foreign = new Set(needed.map(([, name]) => name).filter((name) => name?.startsWith('.') === false));
  expect([...foreign].toSorted()).toEqual(['n8n-workflow', 'node:crypto']);
});

test('the example uses the node as it is', () => {
  const { nodes } = JSON.parse(read('examples/send.json')) as {
    readonly nodes: readonly { readonly type: string; readonly parameters: Readonly<Record<string, unknown>> }[];
  };
  const own = nodes.filter(({ type }) => type === 'n8n-nodes-messaging-gateway.messagingGateway');
  const known = new Set(new MessagingGateway().description.properties.map(({ name }) => name));
  expect(own).toHaveLength(1);
  expect(own.flatMap(({ parameters }) => Object.keys(parameters)).filter((name) => !known.has(name))).toEqual([]);
});
