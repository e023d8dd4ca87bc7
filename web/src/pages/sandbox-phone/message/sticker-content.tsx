import type { SandboxFile } from '../../../../../src/portal/wire/sandbox.ts';
import { t } from '../../../language/language.ts';
import type { Fields } from './content-fields.ts';
import { Picture } from './picture.tsx';

/** A sticker: a picture without a frame. */
export function StickerContent({ content, file }: { readonly content: Fields; readonly file: SandboxFile | null }) {
  return <Picture content={content} file={file} name={t('Sticker')} caption={null} sticker />;
}
