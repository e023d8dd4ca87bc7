import { open } from 'node:fs/promises';
import type { Source } from './conversion.ts';

const windowBytes = 1024 * 1024;
const maxPages = 100_000;

/** The number of pages of a PDF if its first or last MiB contains it uncompressed; null when there is none, or several. */
export async function countPdfPages({ path, size }: Source): Promise<number | null> {
  const handle = await open(path);
  try {
    const read = async (from: number): Promise<string> => {
      const bytes = Buffer.alloc(Math.min(windowBytes, size));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
      return bytes.toString('latin1', 0, bytesRead);
    };
    const first = await read(0);
    const windows = size > windowBytes ? [first, await read(size - windowBytes)] : [first];
    return linearizedPages(first, size) ?? pageTreeCount(windows);
  } finally {
    await handle.close();
  }
}

/** A file made for the web has the count in its first object. It is true as long as nothing was appended, so the length must be the same. */
function linearizedPages(text: string, size: number): number | null {
  // A pattern with both ends of the dictionary would backtrack far on hostile bytes.
  const head = text.slice(0, 2048);
  const at = head.indexOf('/Linearized ');
  const end = at === -1 ? -1 : head.indexOf('>>', at);
  const start = end === -1 ? -1 : head.lastIndexOf('<<', at);
  const first = start === -1 ? '' : head.slice(start, end);
  if (Number(/\/L (\d{1,10})/.exec(first)?.[1]) !== size) return null;
  return plausible(/\/N (\d{1,6})/.exec(first)?.[1]);
}

/** The count in the root of the page tree: the node of pages that has no parent. */
function pageTreeCount(windows: readonly string[]): number | null {
  const counts = new Set<string>();
  for (const window of windows) {
    // What follows the last end is no whole object.
    for (const text of window.split('endobj').slice(0, -1)) {
      const start = text.lastIndexOf(' obj');
      const object = start === -1 ? '' : text.slice(start);
      if (!/\/Type\s*\/Pages\b/.test(object) || /\/Parent\b/.test(object)) continue;
      const count = /\/Count\s+(\d{1,6})\b/.exec(object)?.[1];
      if (count !== undefined) counts.add(count);
    }
  }
  const [only, ...others] = counts;
  return others.length === 0 ? plausible(only) : null;
}

function plausible(count: string | undefined): number | null {
  const pages = Number(count);
  return Number.isInteger(pages) && pages > 0 && pages <= maxPages ? pages : null;
}
