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

/** The button alone. */
export function CopyIcon({ value, label }: Pick<CopyFieldProps, 'value' | 'label'>) {
  const { copied, failed, copy } = useCopy(value);
  const tip = failed ? t('Your browser does not allow it: select the text and copy it yourself') : copied ? t('Copied') : t('Copy');
  return (
    <Tooltip label={tip} {...(failed ? { opened: true } : {})}>
      <ActionIcon
        variant="default"
        size="lg"
        onClick={copy}
        aria-label={copied ? t('{{label}} copied', { label }) : t('Copy {{label}}', { label })}
      >
        {copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}
