import { closeSync, fchownSync, fsyncSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a file that only its owner may read and write, and that is on the disk then; false when it exists already. `owner` is for root alone:
 * what root makes belongs to root, or to the owner of the folder, as whom the server runs. Throws the file system's error, and leaves no file then.
 */
export function makeFile(file: string, content: string, owner: 'caller' | 'folder'): boolean {
  let opened: number;
  try {
    opened = openSync(file, 'wx', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  try {
    if (owner === 'folder' && process.geteuid?.() === 0) giveTo(dirname(file), opened);
    writeFileSync(opened, content);
    fsyncSync(opened);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(opened);
  }
  syncFolder(dirname(file));
  return true;
}

function giveTo(folder: string, opened: number): void {
  const { uid, gid } = statSync(folder);
  try {
    fchownSync(opened, uid, gid);
  } catch {
    // A container's root may lack the right, and the file can be used nevertheless.
  }
}

/** Waits until the disk has the names in a folder. */
function syncFolder(folder: string): void {
  try {
    const opened = openSync(folder, 'r');
    try {
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch {
    // Some file systems cannot, and the file can be used nevertheless.
  }
}
