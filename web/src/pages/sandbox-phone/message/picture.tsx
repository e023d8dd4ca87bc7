import { IconPhotoOff } from '@tabler/icons-react';
import { useState } from 'react';
import type { SandboxFile } from '../../../../../src/portal/wire/sandbox.ts';
import { t } from '../../../language/language.ts';
import type { Fields } from './content-fields.ts';
import classes from './media.module.css';
import { Missing } from './missing.tsx';
import { useFile } from './use-file.ts';

interface PictureProps {
  readonly content: Fields;
  readonly file: SandboxFile | null;
  /** Its name for screen readers. */
  readonly name: string;
  readonly caption: string | null;
  readonly sticker?: boolean;
}

/** A delivered picture. Its space is reserved before it is loaded. */
export function Picture({ content, file, name, caption, sticker = false }: PictureProps) {
  const { url, missing, thumbnail, ratio, size } = useFile(content, file);
  const [broken, setBroken] = useState(false);
  if (url === null || broken) {
    return (
      <Missing
        icon={<IconPhotoOff size={24} aria-hidden />}
        what={name}
        why={missing ?? t('Your browser cannot show it')}
        thumbnail={thumbnail}
        ratio={ratio}
        download={broken && url !== null ? { url, size } : null}
      />
    );
  }
  return (
    <img
      src={url}
      alt={caption === null ? name : `${name}: ${caption}`}
      loading="lazy"
      className={sticker ? classes.sticker : classes.picture}
      style={ratio === null ? undefined : { aspectRatio: ratio }}
      onError={() => setBroken(true)}
    />
  );
}
