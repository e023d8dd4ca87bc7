import type { Clock, Log } from '../core/index.ts';
import { ConversionFailure } from './conversion/conversion.ts';
import { StillReader } from './conversion/still-reader.ts';
import { Deadline } from './deadline.ts';
import { TemporaryFiles } from './temporary-files.ts';

export type LogoMaker = ReturnType<typeof createLogoMaker>;

const workMs = 20_000;

interface LogoMakerOptions {
  readonly clock: Clock;
  /** For temporary files, of this process alone. */
  readonly directory: string;
  readonly log: Pick<Log, 'warn'>;
}

/** Makes logos of pictures that people upload. */
export function createLogoMaker({ clock, directory, log }: LogoMakerOptions) {
  const files = new TemporaryFiles(directory, log);
  const stills = new StillReader(clock);
  return {
    /** A PNG of at most 512 by 512 pixels, encoded anew; null: this is no PNG, JPEG or WebP picture, or it is too large to be read. */
    async make(picture: Uint8Array): Promise<Uint8Array | null> {
      if (!isKnown(Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength))) return null;
      const { path } = await files.save([picture]);
      const deadline = new Deadline(clock, workMs, () => new ConversionFailure('the logo took too long', false));
      try {
        return await stills.logo(path, deadline.signal);
      } catch (error) {
        // Any other failure, such as no time or no memory, is not the picture's.
        if (error instanceof ConversionFailure && error.lasting) return null;
        throw error;
      } finally {
        deadline.end();
        await files.remove(path);
      }
    },
    close: () => stills.close(),
  };
}

/** Whether the first bytes are of one of these formats: nothing else is given to the library. */
function isKnown(head: Buffer): boolean {
  const has = (text: string, at = 0) => head.toString('latin1', at, at + text.length) === text;
  return has('\x89PNG\r\n\x1a\n') || has('\xff\xd8\xff') || (has('RIFF') && has('WEBP', 8));
}
