import { describe, expect, it } from 'vitest';
import type { Network } from '../../src/networks/index.ts';
import { Outages } from '../../src/sessions/outage.ts';
import type { Session } from '../../src/sessions/session.ts';

const [whatsapp, sandbox] = [{}, {}] as [Network, Network];

/** Numbers whose first one comes back; the others have these networks and states. */
function numbers(others: readonly { network: Network; status: Session['status'] }[]) {
  const tried: string[] = [];
  const all = [{ network: whatsapp, status: 'connecting' as const }, ...others].map(({ network, status }, place) => {
    const id = String(place);
    const part: { -readonly [Name in 'id' | 'network' | 'status']: Session[Name] } = { id, network, status };
    return Object.assign(part, { retrySoon: () => void tried.push(id) });
  });
  let looks = 0;
  const sessions = {
    get: (id: string) => all[Number(id)] as unknown as Session | undefined,
    values: () => {
      looks++;
      return all.values() as unknown as MapIterator<Session>;
    },
  };
  const outages = new Outages(sessions);
  return {
    tried,
    /** How often all numbers were looked through. */
    looks: () => looks,
    back(place: number) {
      const session = all[place];
      if (session === undefined) throw new Error('there is no such number');
      outages.end(session as unknown as Session);
      session.status = 'open';
    },
    lose(place: number) {
      const session = all[place];
      if (session !== undefined) session.status = 'connecting';
    },
  };
}

describe('when a number is back', () => {
  const waiting = { network: whatsapp, status: 'connecting' as const };

  it('all numbers of its network are tried soon, if it is the first one', () => {
    const { back, tried } = numbers([waiting, { network: sandbox, status: 'open' }, waiting]);
    back(0);
    expect(tried).toEqual(['1', '3']);
  });

  it('no other is, if it alone was without a connection', () => {
    const { back, tried } = numbers([waiting, { network: whatsapp, status: 'open' }]);
    back(0);
    expect(tried).toEqual([]);
  });

  it('the others are looked through only when the one that was open is so no longer', () => {
    const { back, lose, looks, tried } = numbers([waiting, waiting, waiting]);
    for (const place of [0, 1, 2, 3]) back(place);
    expect(looks()).toBe(1);
    tried.length = 0;
    lose(0);
    lose(1);
    back(1);
    expect([looks(), tried]).toEqual([2, []]);
    for (const place of [0, 1, 2, 3]) lose(place);
    back(3);
    expect(tried).toEqual(['0', '1', '2']);
  });
});
