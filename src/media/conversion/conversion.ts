import type { MediaFacts } from '../../networks/index.ts';
import type { SavedFile, TemporaryFiles } from '../temporary-files.ts';

/** What a file was prepared to. */
export interface Conversion {
  /** The file to deliver instead of the original; null: the original. */
  readonly file: SavedFile | null;
  /** The media type of what is delivered; null: as it was fetched. */
  readonly mimeType: string | null;
  readonly facts: MediaFacts | null;
}

/** Nothing to add: the original as it was fetched. */
export const asFetched: Conversion = { file: null, mimeType: null, facts: null };

/** The file that a conversion reads. */
export interface Source {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** The media type of its bytes; null: they have none of their own. */
  readonly found: string | null;
}

/** What a conversion that writes a file needs. */
export interface Means {
  readonly files: TemporaryFiles;
  /** Largest file in bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** The longer side of every thumbnail, in pixels. */
export const thumbnailPixels = 96;

/** A file could not be converted, so its original is delivered. The message is for the log and contains nothing of the file. */
export class ConversionFailure extends Error {
  /** The same file would fail in the same way again. */
  readonly lasting: boolean;

  constructor(message: string, lasting: boolean) {
    super(message);
    this.lasting = lasting;
  }
}

/** A program or library that conversions need is not installed. */
export class ToolMissing extends ConversionFailure {
  constructor(tool: 'ffmpeg' | 'ffprobe' | 'sharp') {
    super(`${tool} is not installed`, false);
  }
}
