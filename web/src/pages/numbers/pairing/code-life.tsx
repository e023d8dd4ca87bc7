import { RingProgress, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PairingView } from '../../../../../src/portal/wire/live.ts';
import { useAccountId } from '../../../session/session.ts';
import { pairingQuery, qrStatusQuery } from './queries.ts';

/** How long after a code's end the next one is asked for, should no event have told of it. */
const lateMs = 1500;

/** A ring that empties while the code on show grows old. */
export function CodeLife({ instanceId }: { readonly instanceId: string }) {
  const { data, dataUpdatedAt } = useQuery(pairingQuery(useAccountId(), instanceId));
  const now = useNow();
  const life = data === undefined ? null : lifeOf(data, dataUpdatedAt);
  // The time of day that is shown may be a little older than the code.
  const left = life === null ? 0 : Math.min(life.totalMs, Math.max(0, life.endsAt - now));
  useAskWhenLate(instanceId, life?.endsAt ?? null);
  const seconds = Math.ceil(left / 1000);
  return (
    <RingProgress
      size={56}
      thickness={5}
      roundCaps
      transitionDuration={400}
      aria-hidden
      sections={[{ value: life === null ? 0 : Math.min(100, (left / life.totalMs) * 100), color: seconds <= 5 ? 'orange' : 'teal' }]}
      label={
        <Text size="xs" ta="center" fw={600} data-seconds-left={life === null ? undefined : seconds}>
          {life === null ? '' : `${seconds} s`}
        </Text>
      }
    />
  );
}

/** When the code ends by this browser's clock, which may be wrong: what is left counts from when the server told it. */
function lifeOf({ code_shown_at, code_expires_at, told_at }: PairingView, receivedAt: number): { endsAt: number; totalMs: number } | null {
  if (code_shown_at === null || code_expires_at === null) return null;
  const expiresAt = Date.parse(code_expires_at);
  const endsAt = told_at === undefined ? expiresAt : receivedAt + expiresAt - Date.parse(told_at);
  return { endsAt, totalMs: Math.max(1, expiresAt - Date.parse(code_shown_at)) };
}

/** The time of day, four times a second. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function useAskWhenLate(instanceId: string, endsAt: number | null): void {
  const queryClient = useQueryClient();
  const accountId = useAccountId();
  useEffect(() => {
    if (endsAt === null) return;
    const ask = () => {
      void queryClient.invalidateQueries({ queryKey: qrStatusQuery({ account: accountId }, instanceId).queryKey });
      void queryClient.invalidateQueries({ queryKey: pairingQuery(accountId, instanceId).queryKey });
    };
    const timer = setTimeout(ask, Math.max(0, endsAt - Date.now()) + lateMs);
    return () => clearTimeout(timer);
  }, [queryClient, accountId, instanceId, endsAt]);
}
