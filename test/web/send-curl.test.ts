import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlOf } from '../../web/src/pages/send/curl.ts';

/** What a shell hands to curl when the command is pasted into it. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}\n`;
  return execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1);
}

const texts = [
  "it's",
  `"double" and 'single' and '\\''`,
  '$HOME $(touch /tmp/never) `id` $x $((1))',
  'two\nlines\\n and a \\ at the end\\',
  '!! *bold* ~ ; & | < > # %s',
  'Grüße 👍🏽',
];

test.each(texts)('the shell hands over exactly what was written: %j', (text) => {
  const body = { to: '15550123', text, [text]: [text] };
  const url = 'https://gateway.example.com/v1/messages/text';
  const [flag, address, ...rest] = argumentsOf(curlOf({ url, body, idempotencyKey: text.replaceAll('\n', ' ') }));
  expect([flag, address]).toEqual(['-s', url]);
  expect(rest.slice(0, -1)).toEqual([
    '-H',
    'apikey: YOUR_API_KEY',
    '-H',
    'content-type: application/json',
    '-H',
    `idempotency-key: ${text.replaceAll('\n', ' ')}`,
    '-d',
  ]);
  expect(JSON.parse(rest.at(-1) ?? '')).toEqual(body);
});

test('without an idempotency key there is no such header', () => {
  expect(argumentsOf(curlOf({ url: 'http://localhost', body: {}, idempotencyKey: '' }))).toEqual([
    '-s',
    'http://localhost',
    '-H',
    'apikey: YOUR_API_KEY',
    '-H',
    'content-type: application/json',
    '-d',
    '{}',
  ]);
});
