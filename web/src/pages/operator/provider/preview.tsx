import { Group, Paper, Stack, Text } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { contrast, readable } from '../../../brand/colour.ts';
import { t } from '../../../language/language.ts';

interface PreviewProps {
  readonly name: string;
  /** #rrggbb; null: the gateway's own. */
  readonly colour: string | null;
  readonly logo: string | null;
  readonly sender: string;
  readonly intro: string;
  readonly footer: string;
}

const ownColour = '#087f5b';
const schemes = [
  { label: t('Light'), ground: '#ffffff', text: '#000000', border: '#dee2e6' },
  { label: t('Dark'), ground: '#242424', text: '#c9c9c9', border: '#424242' },
];

/** What customers see of a brand: the sign-in in both colour schemes, and a mail. */
export function Preview({ name, colour, logo, sender, intro, footer }: PreviewProps) {
  const shown = name === '' ? 'Messaging Gateway' : name;
  const chosen = colour ?? ownColour;
  return (
    <Stack gap="sm" role="group" aria-label={t('Preview')}>
      <Text size="sm" fw={600}>
        {t('Preview')}
      </Text>
      {schemes.map(({ label, ground, text, border }) => (
        <Card key={label} label={label} style={{ background: ground, color: text, borderColor: border }}>
          <Group gap={8} wrap="nowrap" mb="sm">
            <img src={logo ?? '/assets/icon.svg'} alt="" width={28} height={28} style={{ objectFit: 'contain' }} />
            <Text fw={650} component="span" style={{ overflowWrap: 'anywhere' }}>
              {shown}
            </Text>
          </Group>
          <Group gap="md">
            <span
              style={{
                background: chosen,
                color: contrast(chosen, '#ffffff') >= contrast(chosen, '#000000') ? '#ffffff' : '#000000',
                borderRadius: 8,
                padding: '6px 16px',
                fontSize: 14,
                fontWeight: 600,
              }}
            >
              {t('Sign in')}
            </span>
            <span style={{ color: readable(chosen, ground), fontSize: 14, textDecoration: 'underline' }}>{t('API reference')}</span>
          </Group>
        </Card>
      ))}
      <Card label={t('E-mail')}>
        <Text size="sm">{t('From: {{name}}', { name: sender === '' ? shown : sender })}</Text>
        <Text size="sm" component="pre" mt="xs" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontFamily: 'inherit' }}>
          {[intro, '…', footer].filter((part) => part !== '').join('\n\n')}
        </Text>
      </Card>
    </Stack>
  );
}

function Card({ label, style = {}, children }: { readonly label: string; readonly style?: CSSProperties; readonly children: ReactNode }) {
  return (
    <Paper withBorder radius="md" p="md" component="section" aria-label={label} style={style}>
      {children}
    </Paper>
  );
}
