import { makeLogo, makeSticker, readImage, type StillRequest } from './still-jobs.ts';
import { restrict } from './still-opening.ts';

// Reads pictures from strangers in a process of its own, which may be ended at any time (still-reader.ts). One request at a time.

const library = import('sharp').then(({ default: sharp }) => {
  restrict(sharp);
  return sharp;
});
// Its failure is part of the answer to the first request.
library.catch(() => undefined);

process.on('message', (request: StillRequest) => {
  void answer(request).then((reply) => process.send?.(reply));
});
// Nobody waits for a picture any more. An ordinary exit would wait for the one being read.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

const jobs = { image: readImage, sticker: makeSticker, logo: makeLogo } as const;

async function answer({ job, picture }: StillRequest) {
  const sharp = await library.catch(() => null);
  if (sharp === null) return { outcome: 'missing' };
  try {
    return { outcome: 'done', result: await jobs[job](sharp, picture) };
  } catch {
    return { outcome: 'failed' };
  }
}
