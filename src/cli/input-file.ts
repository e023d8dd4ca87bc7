import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { OperatorError } from '../core/index.ts';

/** The text of a file or pipe that somebody names. Throws OperatorError when it cannot be read or is larger than this many bytes. */
export async function readInput(file: string, mostBytes: number): Promise<string> {
  const bytes = await buffer(createReadStream(file, { end: mostBytes })).catch(() => null);
  if (bytes === null) throw new OperatorError(`${file} cannot be read`);
  if (bytes.length > mostBytes) throw new OperatorError(`${file} must be at most ${mostBytes / 1024 ** 2} MB`);
  return bytes.toString('utf8');
}
