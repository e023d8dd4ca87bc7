import type { SandboxFile } from '../../../../../src/portal/wire/index.ts';
import { t } from '../../../language/language.ts';
import { FormattedText } from '../formatting/formatted-text.tsx';
import { type Fields, textIn } from './content-fields.ts';
import { Picture } from './picture.tsx';

/** A photo with its caption. */
export function ImageContent({ content, file }: { readonly content: Fields; readonly file: SandboxFile | null }) {
  const caption = textIn(content, 'caption');
  return (
    <>
      <Picture content={content} file={file} name={t('Photo')} caption={caption} />
      {caption !== null && <FormattedText text={caption} />}
    </>
  );
}
