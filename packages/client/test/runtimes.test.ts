import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserDriver, startInChromium } from './runtimes/chromium.ts';
import { installPackage, installRuntimes, runtime } from './runtimes/installed.ts';
import { clientSuite } from './suite/client-suite.ts';
import { startDriver } from './suite/driver.ts';

const names = { noAnswer: 'NoAnswerError', webhook: 'WebhookError', refusal: () => 'ApiError' };
// So that none of the seven faults is missing by chance.
const sends = 500;
let folder: string;

beforeAll(() => {
  installRuntimes();
  folder = mkdtempSync(join(tmpdir(), 'client-runtimes-'));
  installPackage(folder);
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('in Deno, which lets it into the network alone', () => {
  const words = ['run', '--no-prompt', '--allow-net'];
  clientSuite(() => startDriver(runtime('@deno', 'deno'), ...words, join(folder, 'lines.js')), names, sends);
});

describe('in Bun', () => {
  clientSuite(() => startDriver(runtime('@oven', join('bin', 'bun')), join(folder, 'lines.js')), names, sends);
});

describe('in Chromium, behind a proxy', () => {
  let driver: BrowserDriver;
  clientSuite(
    () => {
      driver = startInChromium(folder);
      return driver;
    },
    names,
    sends,
  );

  test('no key comes into the page', () => expect(driver.keysInPage()).toEqual([]));
});
