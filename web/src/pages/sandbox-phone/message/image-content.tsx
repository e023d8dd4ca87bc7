import type { SandboxFile } from '../../../../../src/portal/wire/sandbox.ts';
import { t } from '../../../language/language.ts';
import { FormattedText } from '../formatting/formatted-text.tsx';
import { type Fields, textIn } from './content-fields.ts';
import { Picture } from './picture.tsx';
import { VideoContent } from './video-content.tsx';

/** A photo with its caption; one that moves has become a video that plays in a loop. */
export function ImageContent({ content, file }: { readonly content: Fields; readonly file: SandboxFile | null }) {
  const caption = textIn(content, 'caption');
  if (textIn(content, 'mime_type')?.startsWith('video/')) return <VideoContent content={content} file={file} looping />;
  return (
    <>
      <Picture content={content} file={file} name={t('Photo')} caption={caption} />
      {caption !== null && <FormattedText text={caption} />}
    </>
  );
}
