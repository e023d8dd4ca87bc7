import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type SampleName, samplesFolder, sampleType } from '../samples/index.ts';
import type { SavedFile } from './save-file.ts';

/** A sample file with what its server would have said of it. */
interface SampleFile extends SavedFile {
  readonly contentType: string;
}

/** The gateway's own sample files, as fetched files. Each is read once. */
export function createSampleFiles(): { file(name: SampleName): Promise<SampleFile> } {
  const known = new Map<SampleName, SampleFile>();
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
        contentType: sampleType(name),
      };
      known.set(name, file);
      return file;
    },
  };
}
