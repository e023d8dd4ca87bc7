import { Button, Code, Group, Paper, Text } from '@mantine/core';
import { IconDeviceMobileMessage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RequestView } from '../../../../src/portal/wire/sending.ts';
import { instancesQuery } from '../../api/queries.ts';
import { Trans, t } from '../../language/language.ts';
import { kindName } from '../../parts/kind.tsx';
import { Moment } from '../../parts/moment.tsx';
import { nameOf } from '../../parts/number-words.ts';
import { shownNumber } from '../../parts/phone-number.ts';
import { failureOf } from '../../parts/sends/failure-words.ts';
import { OutcomeBadge } from '../../parts/sends/outcome-badge.tsx';
import { ShownId } from '../../parts/shown-id.tsx';
import { useAccountId } from '../../session/session.ts';
import classes from './activity.module.css';
import { shownDuration } from './stage-chart.tsx';

/** All that is known of a request. */
export function RequestFacts({ request }: { readonly request: RequestView }) {
  const { data: numbers } = useQuery(instancesQuery(useAccountId()));
  const number = numbers?.find(({ instance_id }) => instance_id === request.instance_id);
  const { code, status, message_type, message_id, recipient } = request;
  return (
    <Paper withBorder radius="lg" p="md" component="section" aria-label={t('The request')}>
      <Group justify="space-between" align="flex-start" mb="lg">
        <div style={{ flex: '1 1 300px' }}>
          <OutcomeBadge request={request} />
          <Text mt="xs">{sentence(request)}</Text>
        </div>
        {number?.network === 'sandbox' && recipient !== null && code === null && (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconDeviceMobileMessage size={18} aria-hidden />}
            renderRoot={(props) => <Link to="/sandbox-phone" search={{ with: Number(recipient) }} {...props} />}
          >
            {t('See it in the sandbox')}
          </Button>
        )}
      </Group>
      <dl className={classes.facts}>
        <Fact name={t('Request ID')} wide>
          <ShownId id={request.request_id} label={t('request ID')} />
        </Fact>
        {message_id !== null && (
          <Fact name={t('Message ID')} wide>
            <ShownId id={message_id} label={t('message ID')} />
          </Fact>
        )}
        {request.instance_id !== null && (
          <Fact name={t('From')} wide>
            {number === undefined ? numbers && t('A deleted number') : nameOf(number)}
            <div>
              <ShownId id={request.instance_id} label={t('instance ID')} />
            </div>
          </Fact>
        )}
        {request.error_message !== null && (
          <Fact name={t('What the caller was told')} wide>
            <span lang="en">{request.error_message}</span>
          </Fact>
        )}
        {request.media_host !== null && (
          <Fact name={t('Host of the file')} wide>
            {request.media_host}
          </Fact>
        )}
        {recipient !== null && <Fact name={t('To')}>{shownNumber(recipient)}</Fact>}
        {message_type !== null && <Fact name={t('Kind')}>{kindName(message_type)}</Fact>}
        <Fact name={t('Answered')}>
          <Moment at={request.at} exact size="sm" />
        </Fact>
        <Fact name={t('Duration')}>{shownDuration(request.duration_ms)}</Fact>
        <Fact name={t('Response')} wide={code !== null}>
          {status}
          {code !== null && (
            <>
              {' '}
              <Code>{code}</Code>
            </>
          )}
        </Fact>
        <Fact name={t('Made by')}>{askedBy(request)}</Fact>
        <Fact name={t('Path')} wide>
          <Code>
            {request.method} {request.path}
          </Code>
        </Fact>
        {/* Of a request that failed the log does not tell whether it had a key. */}
        {message_type !== null && code === null && (
          <Fact name={t('Idempotency')} wide>
            {idempotencyText(request)}
          </Fact>
        )}
      </dl>
    </Paper>
  );
}

interface FactProps {
  readonly name: string;
  /** Takes the room of two. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

function Fact({ name, wide = false, children }: FactProps) {
  return (
    <div className={wide ? classes.wide : undefined}>
      <Text component="dt" size="xs" c="dimmed" fw={600}>
        {name}
      </Text>
      <Text component="dd" size="sm">
        {children}
      </Text>
    </div>
  );
}

function sentence({ code, message_type, recipient, idempotency }: RequestView): string {
  if (code !== null) return failureOf({ code, message_type, recipient }).meaning;
  if (message_type === null) return t('The request was answered.');
  return idempotency === 'replayed'
    ? t('A message with the same idempotency key was sent before. This request got the same response, and nothing was sent a second time.')
    : t('The message was accepted for delivery.');
}

function askedBy({ person, key_prefix, path }: RequestView): ReactNode {
  if (person !== null) return t('{{person}}, in the portal', { person });
  if (key_prefix !== null) {
    return (
      <Trans
        i18nKey="API key <code>{{prefix}}</code>"
        values={{ prefix: key_prefix }}
        components={{ code: <ShownId id={key_prefix} label={t('beginning of the key')} /> }}
      />
    );
  }
  return path.startsWith('/portal/') ? t('Somebody in the portal') : t('Unknown: no valid key');
}

function idempotencyText({ idempotency }: RequestView): string {
  switch (idempotency) {
    case 'new':
      return t('First request with this key');
    case 'replayed':
      return t('Repeat of an earlier request with the same key');
    case null:
      return t('No key was given');
  }
}
