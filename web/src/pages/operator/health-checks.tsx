import { Paper, Text, ThemeIcon, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import type { HealthCheck } from '../../../../src/portal/wire/operator.ts';
import { t } from '../../language/language.ts';
import classes from './health-checks.module.css';

const looks = {
  ok: { color: 'teal', icon: IconCheck, word: t('fine') },
  warn: { color: 'yellow', icon: IconAlertTriangle, word: t('worth a look') },
  fail: { color: 'red', icon: IconX, word: t('fails') },
} as const;

const order = { fail: 0, warn: 1, ok: 2 } as const;

/** What each check is called; one that only a newer server knows keeps the name that it has there. */
const names: Readonly<Record<string, string>> = {
  node: 'Node.js',
  clock: t('Clock'),
  'open files': t('Open files'),
  'data folder': t('Data folder'),
  'free space': t('Free space'),
  'secret key': t('Secret key'),
  database: t('Database'),
  postgresql: 'PostgreSQL',
  'database clock': t('Database clock'),
  tls: 'TLS',
  ffmpeg: 'ffmpeg',
  ffprobe: 'ffprobe',
  whatsapp: 'WhatsApp',
  'whatsapp clock': t('WhatsApp clock'),
  'whatsapp version': t('WhatsApp version'),
  mail: t('E-mail'),
  connections: t('Connections'),
  'pending writes': t('Pending writes'),
  servers: t('Servers'),
  writing: t('Writing'),
};

/** The checks, failed ones first, with advice. */
export function HealthChecks({ checks }: { readonly checks: readonly HealthCheck[] }) {
  return (
    <Paper withBorder radius="lg" component="ul" className={classes.list} aria-label={t('Checks')}>
      {checks
        .toSorted((one, other) => order[one.state] - order[other.state])
        .map((check) => (
          <Check key={check.name} check={check} />
        ))}
    </Paper>
  );
}

function Check({ check: { name, state, message, mend } }: { readonly check: HealthCheck }) {
  const { color, icon: Icon, word } = looks[state];
  return (
    <li className={classes.check}>
      <ThemeIcon variant="light" color={color} radius="xl" size={24} aria-hidden>
        <Icon size={14} />
      </ThemeIcon>
      <Text size="sm" fw={600}>
        {names[name] ?? <span lang="en">{capital(name)}</span>}
        <VisuallyHidden>: {word}</VisuallyHidden>
      </Text>
      <div className={classes.message}>
        <Text size="sm" {...(state === 'ok' ? { c: 'dimmed' } : {})}>
          {capital(message)}
        </Text>
        {mend !== null && (
          <Text size="sm" mt={4}>
            <b>{t('What to do:')}</b> {mend}
          </Text>
        )}
      </div>
    </li>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
