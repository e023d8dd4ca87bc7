import { expect, it } from 'vitest';
import type { Network } from '../../src/networks/index.ts';
import { endOutage } from '../../src/sessions/outage.ts';
import type { Session } from '../../src/sessions/session.ts';

const [whatsapp, sandbox] = [{}, {}] as [Network, Network];

/** Numbers with these networks and states, and which of them are to try soon when the first one is back. */
function triedSoon(others: readonly { network: Network; status: Session['status'] }[]): number[] {
  const tried: number[] = [];
  const sessions = [{ network: whatsapp, status: 'connecting' as const }, ...others].map(({ network, status }, place) => {
    const part: Pick<Session, 'network' | 'status' | 'retrySoon'> = { network, status, retrySoon: () => void tried.push(place) };
    return part as Session;
  });
  const [back] = sessions;
  if (back !== undefined) endOutage(back, sessions);
  return tried;
}

it('has all numbers of a network try soon when the first one is back', () => {
  const waiting = { network: whatsapp, status: 'connecting' as const };
  expect(triedSoon([waiting, { network: sandbox, status: 'connecting' }, waiting])).toEqual([1, 3]);
});

it('leaves a number alone that is alone without a connection', () => {
  expect(
    triedSoon([
      { network: whatsapp, status: 'connecting' },
      { network: whatsapp, status: 'open' },
    ]),
  ).toEqual([]);
});
