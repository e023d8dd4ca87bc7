import { OperatorError } from '../../core/index.ts';
import type { Archive } from '../found.ts';
import { openUpload } from './open-upload.ts';
import type { ReaderAnswer, ReaderRequest } from './upload.ts';

// Unpacks and reads one upload, in a process of its own: no file can stop the gateway or take its memory (upload.ts).

let archive: Archive | null = null;

process.on('message', async (request: ReaderRequest) => {
  const answer = await answerTo(request).catch(
    (error: unknown): ReaderAnswer => ({
      outcome: 'refused',
      // Other errors may quote what was read.
      message: error instanceof OperatorError ? error.message : 'what was uploaded is damaged and cannot be read',
    }),
  );
  process.send?.(answer);
});
// Nobody waits for an answer any more. An ordinary exit would wait for what is being read.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function answerTo(request: ReaderRequest): Promise<ReaderAnswer> {
  if (request.ask === 'open') {
    archive = await openUpload(request.upload);
    return { outcome: 'opened', sources: archive.sources };
  }
  if (archive === null) throw new Error('nothing is open');
  return { outcome: 'read', found: await archive.read(request.source) };
}
