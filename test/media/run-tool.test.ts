import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConversionFailure } from '../../src/media/conversion/conversion.ts';
import { collect, runTool, savedOutput } from '../../src/media/conversion/run-tool.ts';
import { TemporaryFiles } from '../../src/media/temporary-files.ts';

async function means() {
  const directory = await mkdtemp(join(tmpdir(), 'run-tool-test-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return { files: new TemporaryFiles(directory, { warn: () => undefined }), maxBytes: 1e6 };
}

const run = { tool: 'ffprobe', args: ['-version'], signal: new AbortController().signal } as const;

test('what a tool wrote is there, although it ended before its output was read', async () => {
  const saved = savedOutput(await means());
  const late = async (output: AsyncIterable<Buffer>) => {
    // Both begin alike, so the one that began first has ended by then.
    for (let again = 0; again < 2; again++) await runTool({ ...run, outputs: [collect(1e6).read] });
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
