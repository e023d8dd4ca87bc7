import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type SampleName, samplesFolder, sampleType } from '../samples/index.ts';
import type { Fetched } from './download.ts';

/** The gateway's own sample files, as fetched files. Each is read once. */
export function createSampleFiles(): { file(name: SampleName): Promise<Fetched> } {
  const known = new Map<SampleName, Fetched>();
  return {
    async file(name) {
      const kept = known.get(name);
      if (kept !== undefined) return kept;
      const path = fileURLToPath(new URL(name, samplesFolder));
      const content = await readFile(path);
      const file = {
        path,
        size: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
        found: sampleType(name),
        contentType: null,
      };
      known.set(name, file);
      return file;
    },
  };
}
