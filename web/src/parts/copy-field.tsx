import { ActionIcon, Code, Group, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { t } from '../language/language.ts';
import { useCopy } from './copy.ts';

interface CopyFieldProps {
  readonly value: string;
  /** What is copied, for screen readers: "API key". */
  readonly label: string;
  /** Several lines, such as a command. */
  readonly block?: boolean;
}

/** A text to be taken elsewhere, with a button that copies it. */
export function CopyField({ value, label, block = false }: CopyFieldProps) {
  return (
    <Group gap="xs" wrap="nowrap" align={block ? 'flex-start' : 'center'}>
      <Code
        block={block}
        tabIndex={block ? 0 : undefined}
        style={{ flex: '1 1 auto', minWidth: 0, overflowWrap: 'anywhere', whiteSpace: block ? 'pre-wrap' : undefined }}
      >
        {value}
      </Code>
      <CopyIcon value={value} label={label} />
    </Group>
  );
}

interface CopyIconProps extends Pick<CopyFieldProps, 'value' | 'label'> {
  /** Beside a text, where it must not make the line higher. */
  readonly small?: boolean;
}

/** The button alone. */
export function CopyIcon({ value, label, small = false }: CopyIconProps) {
  const { copied, failed, copy } = useCopy(value);
  const size = small ? 14 : 18;
  const tip = failed ? t('Your browser does not allow it: select the text and copy it yourself') : copied ? t('Copied') : t('Copy');
  return (
    <Tooltip label={tip} {...(failed ? { opened: true } : {})}>
      <ActionIcon
        {...(small ? { variant: 'subtle', color: 'gray', size: 24 } : { variant: 'default', size: 'lg' })}
        onClick={copy}
        aria-label={copied ? t('{{label}} copied', { label }) : t('Copy {{label}}', { label })}
      >
        {copied ? <IconCheck size={size} aria-hidden /> : <IconCopy size={size} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}
