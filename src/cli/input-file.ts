import { readFile, stat } from 'node:fs/promises';
import { OperatorError } from '../core/index.ts';

/** The text of a file that somebody names. Throws OperatorError when it is no file, cannot be read, or is larger than this many bytes. */
export async function readInput(file: string, mostBytes: number): Promise<string> {
  const size = await stat(file).then(
    (state) => (state.isFile() ? state.size : null),
    () => null,
  );
  if (size !== null && size > mostBytes) throw new OperatorError(`${file} must be at most ${mostBytes / 1024 ** 2} MB`);
  const text = size === null ? null : await readFile(file, 'utf8').catch(() => null);
  if (text === null) throw new OperatorError(`${file} cannot be read`);
  return text;
}
