import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../../language/language.ts';
import classes from './media.module.css';

interface MissingProps {
  readonly icon: ReactNode;
  readonly what: string;
  readonly why: string;
  readonly thumbnail?: string | null;
  readonly ratio?: number | null;
  /** Given when the file exists but cannot be shown. */
  readonly download?: { readonly url: string; readonly size: string | null } | null;
}

/** The placeholder of a file that cannot be shown. */
export function Missing({ icon, what, why, thumbnail = null, ratio = null, download = null }: MissingProps) {
  return (
    <div
      className={thumbnail === null ? classes.missing : `${classes.missing} ${classes.blurred}`}
      style={{
        ...(thumbnail === null ? {} : { backgroundImage: `url("${thumbnail}")` }),
        ...(ratio === null ? {} : { aspectRatio: Math.min(Math.max(ratio, 0.8), 3) }),
      }}
    >
      <div className={classes.missingWords}>
        {icon}
        <Text size="sm" fw={600}>
          {what}
        </Text>
        <Text size="xs">{why}</Text>
        {download !== null && (
          <Anchor href={download.url} download size="xs">
            {download.size === null ? t('Download') : t('Download ({{size}})', { size: download.size })}
          </Anchor>
        )}
      </div>
    </div>
  );
}
