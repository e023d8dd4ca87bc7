import { ActionIcon, Text } from '@mantine/core';
import { IconDownload, IconFile, IconFileTypePdf, IconFileZip } from '@tabler/icons-react';
import type { SandboxFile } from '../../../../../src/portal/wire/sandbox.ts';
import { t } from '../../../language/language.ts';
import { FormattedText } from '../formatting/formatted-text.tsx';
import { type Fields, textIn } from './content-fields.ts';
import classes from './media.module.css';
import { useFile } from './use-file.ts';
import { shownFormat } from './words.ts';

/** A file: its name, its type, and a link to download it. */
export function DocumentContent({ content, file }: { readonly content: Fields; readonly file: SandboxFile | null }) {
  const { url, size, missing } = useFile(content, file);
  const name = textIn(content, 'filename') ?? t('Document');
  const caption = textIn(content, 'caption');
  const format = shownFormat(textIn(content, 'filename'), textIn(content, 'mime_type'));
  const about = [format, missing ?? size].filter((one) => one !== null);
  return (
    <>
      <div className={classes.document}>
        <div className={classes.documentLine}>
          <FormatIcon format={format} />
          <div className={classes.documentWords}>
            <Text size="sm" fw={600} lineClamp={2}>
              <bdi>{name}</bdi>
            </Text>
            <Text size="xs" className={classes.dim}>
              {about.join(' · ')}
            </Text>
          </div>
          {url !== null && (
            <ActionIcon
              component="a"
              href={url}
              download={name}
              variant="subtle"
              color="gray"
              size="lg"
              radius="xl"
              aria-label={t('Download {{name}}', { name })}
            >
              <IconDownload size={20} aria-hidden />
            </ActionIcon>
          )}
        </div>
      </div>
      {caption !== null && <FormattedText text={caption} />}
    </>
  );
}

function FormatIcon({ format }: { readonly format: string }) {
  if (format === 'PDF') return <IconFileTypePdf size={30} className={classes.pdf} aria-hidden />;
  if (format === 'ZIP') return <IconFileZip size={30} aria-hidden />;
  return <IconFile size={30} aria-hidden />;
}
