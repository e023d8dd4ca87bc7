import { Button, Code, Group, Paper, Text } from '@mantine/core';
import { IconDeviceMobileMessage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RequestView } from '../../../../src/portal/wire/index.ts';
import { instancesQuery } from '../../api/queries.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { kindName } from '../../parts/kind.tsx';
import { Moment } from '../../parts/moment.tsx';
import { nameOf } from '../../parts/number-words.ts';
import { shownNumber } from '../../parts/phone-number.ts';
import { useAccountId } from '../../session/session.ts';
import classes from './activity.module.css';
import { failureWords } from './failure-words.ts';
import { OutcomeBadge } from './outcome-badge.tsx';
import { shownDuration } from './stage-chart.tsx';

/** All that is known of a request. */
export function RequestFacts({ request }: { readonly request: RequestView }) {
  const { data: numbers } = useQuery(instancesQuery(useAccountId()));
  const number = numbers?.find(({ instance_id }) => instance_id === request.instance_id);
  const { code, status, message_type, message_id, recipient } = request;
  return (
    <Paper withBorder radius="lg" p="md" component="section" aria-label="The request">
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
            See it in the sandbox
          </Button>
        )}
      </Group>
      <dl className={classes.facts}>
        <Fact name="Request ID" wide>
          <CopyField value={request.request_id} label="request ID" />
        </Fact>
        {message_id !== null && (
          <Fact name="Message ID" wide>
            <CopyField value={message_id} label="message ID" />
          </Fact>
        )}
        {request.instance_id !== null && (
          <Fact name="From" wide>
            {number === undefined ? numbers && 'A deleted number' : nameOf(number)}
            <Text size="xs" c="dimmed" span display="block">
              {request.instance_id}
            </Text>
          </Fact>
        )}
        {recipient !== null && <Fact name="To">{shownNumber(recipient)}</Fact>}
        {message_type !== null && <Fact name="Kind">{kindName(message_type)}</Fact>}
        <Fact name="Answered">
          <Moment at={request.at} size="sm" />
        </Fact>
        <Fact name="Took">{shownDuration(request.duration_ms)}</Fact>
        <Fact name="Answer">
          {status}
          {code !== null && (
            <>
              {' '}
              <Code>{code}</Code>
            </>
          )}
        </Fact>
        <Fact name="Asked by">{askedBy(request)}</Fact>
        <Fact name="Path requested" wide>
          <Code>
            {request.method} {request.path}
          </Code>
        </Fact>
        {/* Of a request that failed the log does not tell whether it had a key. */}
        {message_type !== null && code === null && (
          <Fact name="Idempotency" wide>
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

function sentence({ code, message_type, idempotency }: RequestView): string {
  if (code !== null) return failureWords(code).meaning;
  if (message_type === null) return 'The request was answered.';
  return idempotency === 'replayed'
    ? 'A message with the same idempotency key was sent before. This request got the same answer, and nothing was sent a second time.'
    : 'The message was accepted for delivery.';
}

function askedBy({ person, key_prefix, path }: RequestView): ReactNode {
  if (person !== null) return `${person}, in the portal`;
  if (key_prefix !== null) {
    return (
      <>
        API key <Code>{key_prefix}</Code>
      </>
    );
  }
  return path.startsWith('/portal/') ? 'Somebody in the portal' : 'Unknown: no valid key';
}

function idempotencyText({ idempotency }: RequestView): string {
  switch (idempotency) {
    case 'new':
      return 'First request with its key';
    case 'replayed':
      return 'Repeat of an earlier request with the same key';
    case null:
      return 'No key was given';
  }
}
