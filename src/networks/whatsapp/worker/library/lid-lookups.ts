import { type AuthenticationCreds, jidNormalizedUser, type SocketConfig } from 'baileys';
import { systemClock, withTimeout } from '../../../../core/index.ts';
import { type BoundedCache, createCache } from './bounded-cache.ts';

type MakeSignalRepository = SocketConfig['makeSignalRepository'];
type PnToLid = NonNullable<Parameters<MakeSignalRepository>[2]>;

/** How many number-to-LID pairs (two entries each) a link keeps in memory. Others are read from its records. */
const maximumLids = 1_000;
/** How long a message waits for the network to say which LID a number has, in milliseconds. */
const answerMs = 2_000;
/** How long a number without a LID is not asked for again, and how long nothing is asked after no answer, in milliseconds. */
const pauseMs = 30_000;

/** Limits Baileys' cache of number-to-LID pairs, which would keep every pair for three days with a timer for each, and its questions to the network. */
export function boundLidLookups(make: MakeSignalRepository): MakeSignalRepository {
  return (auth, log, pnToLid) => {
    // Baileys passes all credentials; its types promise less.
    const { creds } = auth as { creds: Partial<AuthenticationCreds> };
    const repository = make(auth, log, pnToLid && boundQuestions(pnToLid, creds, log));
    // It is private only in its type. Baileys uses its get, set and clear.
    const holder = repository.lidMapping as unknown as { mappingCache: BoundedCache<string> };
    holder.mappingCache = createCache({ limit: maximumLids });
    return repository;
  };
}

/**
 * Baileys (7.0.0-rc14) asks up to four times for each message of a number whose LID is not stored, and waits 15 s for each answer. The link encrypts and
 * reads nothing else meanwhile. A message can be read without the answer, because its SignalSession is then stored under the number; so a LID that the
 * network does not tell in time counts as unknown. The own one is known.
 */
function boundQuestions(pnToLid: PnToLid, creds: Partial<AuthenticationCreds>, log: Parameters<MakeSignalRepository>[1]): PnToLid {
  const without = createCache<string>({ limit: maximumLids, lifetimeMs: pauseMs });
  let pausedUntil = 0;
  const pause = (error?: unknown) => {
    pausedUntil = systemClock.monotonic() + pauseMs;
    log.warn({ err: error }, 'the network did not answer who a number is');
    return undefined;
  };
  return async (numbers) => {
    const { id, lid } = creds.me ?? {};
    const me = { pn: jidNormalizedUser(id), lid: jidNormalizedUser(lid) };
    const own = lid !== undefined && numbers.includes(me.pn) ? [me] : [];
    const asked = numbers.filter((pn) => pn !== own[0]?.pn && !without.has(pn));
    if (asked.length === 0 || systemClock.monotonic() < pausedUntil) return own;
    const answer = await withTimeout(systemClock, answerMs, pnToLid(asked), () => pause()).catch(pause);
    if (answer === undefined) return own;
    // Baileys would fail on a pair that it has not asked for.
    const pairs = answer.filter(({ pn }) => asked.includes(pn));
    for (const pn of asked) if (!pairs.some((pair) => pair.pn === pn)) without.set(pn, pn);
    return [...own, ...pairs];
  };
}
