import { IconVideoOff } from '@tabler/icons-react';
import { useState } from 'react';
import type { SandboxFile } from '../../../../../src/portal/wire/sandbox.ts';
import { t } from '../../../language/language.ts';
import { FormattedText } from '../formatting/formatted-text.tsx';
import { type Fields, textIn } from './content-fields.ts';
import classes from './media.module.css';
import { Missing } from './missing.tsx';
import { useFile } from './use-file.ts';

interface Props {
  readonly content: Fields;
  readonly file: SandboxFile | null;
  /** It plays again and again without sound. */
  readonly looping?: boolean;
}

export function VideoContent({ content, file, looping = false }: Props) {
  const { url, missing, thumbnail, ratio, size } = useFile(content, file);
  const [broken, setBroken] = useState(false);
  const caption = textIn(content, 'caption');
  return (
    <>
      {url === null || broken ? (
        <Missing
          icon={<IconVideoOff size={24} aria-hidden />}
          what={t('Video')}
          why={missing ?? t('Your browser cannot play it')}
          thumbnail={thumbnail}
          ratio={ratio}
          download={broken && url !== null ? { url, size } : null}
        />
      ) : (
        <video
          src={url}
          controls
          preload={thumbnail === null ? 'metadata' : 'none'}
          playsInline
          loop={looping}
          muted={looping}
          aria-label={caption === null ? t('Video') : t('Video: {{caption}}', { caption })}
          className={classes.picture}
          style={{ aspectRatio: ratio ?? 16 / 9 }}
          {...(thumbnail === null ? {} : { poster: thumbnail })}
          onError={() => setBroken(true)}
        />
      )}
      {caption !== null && <FormattedText text={caption} />}
    </>
  );
}
