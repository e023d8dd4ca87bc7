import { serialize } from 'node:v8';
import { OperatorError } from '../../core/index.ts';
import type { Archive, Found } from '../found.ts';
import { openUpload } from './open-upload.ts';
import type { ReaderAnswer, ReaderRequest } from './upload.ts';

// Unpacks and reads one upload, in a process of its own: no file can stop the gateway or take its memory (upload.ts).

let archive: Archive | null = null;
/** Of one number, as it is sent to the gateway, where it takes several times as much memory. */
const mostBytes = 32 * 1024 * 1024;

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
  return { outcome: 'read', found: bounded(await archive.read(request.source)) };
}

function bounded(found: Found): Found {
  if (serialize(found).length <= mostBytes) return found;
  const { source, stamp } = found;
  return { source, stamp, problem: `has more than ${mostBytes / 1024 / 1024} MB of keys; import it with gateway import`, number: null };
}
