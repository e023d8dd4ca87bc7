import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ConversionFailure } from '../../src/media/conversion/conversion.ts';
import { runTool, savedOutput } from '../../src/media/conversion/run-tool.ts';
import { TemporaryFiles } from '../../src/media/temporary-files.ts';

const ended = vi.hoisted(() => Promise.withResolvers<void>());
vi.mock('../../src/core/index.ts', async (load) => {
  const core = await load<typeof import('../../src/core/index.ts')>();
  const startLimited: typeof core.startLimited = async (...call) => {
    const child = await core.startLimited(...call);
    child.once('exit', () => ended.resolve());
    return child;
  };
  return { ...core, startLimited };
});

async function means() {
  const directory = await mkdtemp(join(tmpdir(), 'run-tool-test-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return { files: new TemporaryFiles(directory, { warn: () => undefined }), maxBytes: 1e6 };
}

const run = { tool: 'ffprobe', args: ['-version'], signal: new AbortController().signal } as const;

test('what a tool wrote is there, although it ended before its output was read', async () => {
  const saved = savedOutput(await means());
  const late = async (output: AsyncIterable<Buffer>) => {
    await ended.promise;
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    await saved.read(output);
  };
  await runTool({ ...run, outputs: [late] });
  expect(saved.file().size).toBeGreaterThan(100);
});

test('a file that cannot be made ends the run with its reason', async () => {
  const none = () => Promise.reject(new Error('no file'));
  await expect(runTool({ ...run, outputs: [none] })).rejects.toThrow('no file');
});

test('an output of no bytes is a failure', async () => {
  const saved = savedOutput(await means());
  await saved.read((async function* () {})());
  expect(() => saved.file()).toThrow(ConversionFailure);
});
