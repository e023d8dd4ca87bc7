import { ensureFfmpeg } from '../ffmpeg.ts';

/** Installs ffmpeg, or says that it is missing, before a test waits for it. */
export default function setup(): void {
  ensureFfmpeg();
}
