import type { MediaFile } from '../../../../index.ts';
import { createCache } from '../../library/bounded-cache.ts';
import { type UploadConnection, type Uploaded, type UploadType, upload } from './upload.ts';

/** How long an upload is reused, in milliseconds. The network keeps uploaded files for much longer. */
const reuseMs = 60 * 60 * 1000;
/** An upload that takes longer than this is given up, in milliseconds. */
const longestMs = 5 * 60 * 1000;

interface Entry {
  readonly place: Promise<Uploaded>;
  /** The connection that it was begun on and the way to end it; null once it is done. */
  underWay: { readonly sock: UploadConnection['sock']; readonly abort: AbortController } | null;
}

/** The uploads of one link. A file is uploaded once for all its recipients, including those who request it while the upload is in progress. */
export class Uploads {
  readonly #entries = createCache<Entry>({ limit: 500, lifetimeMs: reuseMs });
  readonly #ended = new AbortController();

  /** Where the file lies on the media server. Rejects when it could not be uploaded; the next call tries again. */
  get(connection: UploadConnection, file: MediaFile, type: UploadType): Promise<Uploaded> {
    const key = `${type} ${file.sha256}`;
    const known = this.#entries.get(key);
    if (known !== undefined && (known.underWay === null || known.underWay.sock === connection.sock)) return known.place;
    // The upload has most likely failed with its connection, and nobody waits for it any more.
    known?.underWay?.abort.abort(new Error('the connection was lost'));
    const entry = this.#begin(connection, file, type);
    this.#entries.set(key, entry);
    entry.place.then(
      () => {
        entry.underWay = null;
      },
      // Those who wait get the failure from the promise itself.
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return entry.place;
  }

  close(): void {
    this.#ended.abort(new Error('the link was closed'));
  }

  #begin(connection: UploadConnection, file: MediaFile, type: UploadType): Entry {
    const abort = new AbortController();
    const signal = AbortSignal.any([this.#ended.signal, abort.signal, AbortSignal.timeout(longestMs)]);
    return { place: upload(connection, file, type, signal), underWay: { sock: connection.sock, abort } };
  }
}
