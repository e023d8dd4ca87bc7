/** A downloaded file on local disk. */
export interface SavedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  /** The Content-Type the server sent with it. */
  readonly contentType: string | null;
}

/** A saved file with several holders: sends that use it, the cache, a running fetch. The last one to let go removes it. */
export interface SharedFile {
  readonly file: SavedFile;
  /** Adds a holder and returns what lets go again (calling that twice is harmless). Only a present holder may add another. */
  hold(): () => Promise<void>;
}

/** `remove` is called once, when nobody holds the file any more. */
export function shareFile(file: SavedFile, remove: (path: string) => Promise<void>): SharedFile {
  let holders = 0;
  return {
    file,
    hold() {
      holders += 1;
      let held = true;
      return async () => {
        if (!held) return;
        held = false;
        holders -= 1;
        if (holders === 0) await remove(file.path);
      };
    },
  };
}
