import { createContext, useContext } from 'react';
import type { SandboxFile } from '../../../../../src/portal/wire/sandbox.ts';
import { addressOf } from '../../../api/address.ts';
import { t } from '../../../language/language.ts';
import { useSession } from '../../../session/session.ts';
import { type Fields, numberIn, textIn } from './content-fields.ts';
import { shownSize } from './words.ts';

/** The largest file the sandbox keeps (docs/sandbox.md). */
const keptBytes = 4 * 1024 * 1024;

/** What the page knows of a delivered file. */
export interface ShownFile {
  /** Its address; null when the file is not kept. */
  readonly url: string | null;
  /** Its size in words. */
  readonly size: string | null;
  /** Why it cannot be shown; null when it can. */
  readonly missing: string | null;
  /** A small picture of it, as a data: address. */
  readonly thumbnail: string | null;
  /** Width by height in pixels, where known. */
  readonly ratio: number | null;
  readonly facts: SandboxFile | null;
}

const FileSource = createContext<((content: Fields) => ShownFile) | null>(null);

/** Gives messages inside it their files from somewhere else than the sandbox. */
export const FileSourceProvider = FileSource.Provider;

/** The file of a media message. */
export function useFile(content: Fields, file: SandboxFile | null): ShownFile {
  const { account } = useSession();
  const source = useContext(FileSource);
  if (source !== null) return source(content);
  const bytes = numberIn(content, 'size');
  const sha256 = textIn(content, 'sha256');
  const size = bytes === null ? null : shownSize(bytes);
  const kept = file?.available === true && sha256 !== null;
  const { width = null, height = null, thumbnail = null } = file ?? {};
  return {
    // The browser fetches it without the header that names the account, so the address names it.
    url: kept ? addressOf('/portal/api/sandbox/files/:sha256', { sha256 }, { account_id: account?.account_id }) : null,
    size,
    missing: kept
      ? null
      : bytes !== null && bytes > keptBytes
        ? t('Too large to be kept here ({{size}})', { size: size ?? '' })
        : t('No longer kept here'),
    thumbnail: thumbnail === null ? null : `data:image/jpeg;base64,${thumbnail}`,
    ratio: width !== null && height !== null && height > 0 ? width / height : null,
    facts: file,
  };
}
