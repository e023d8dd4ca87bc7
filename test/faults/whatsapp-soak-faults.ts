import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageFault, WhatsAppServer } from 'whatsapp-test-server';
import type { Seeded } from './seeded.ts';

/** What goes wrong on the network's side; each name with what it does to a network and one of its linked numbers. */
const networkFaults: Readonly<Record<string, (server: WhatsAppServer, number: string, random: Seeded) => void | Promise<void>>> = {
  drop: ({ faults }, number) => faults.end(number, { kind: 'drop' }),
  silence: ({ faults }, number) => faults.end(number, { kind: 'silence' }),
  unavailable: ({ faults }, number) => faults.end(number, { kind: 'stream_error', code: 503 }),
  restart: ({ faults }, number) => faults.end(number, { kind: 'stream_error', code: 515 }),
  'lost acknowledgements': ({ faults }, from, random) => faults.onMessage({ from, times: 1 + random.below(3) }, { kind: 'lose_ack' }),
  'drop after a message': ({ faults }, from) => faults.onMessage({ from }, { kind: 'drop' }),
  'drop before a message': ({ faults }, from) => faults.onMessage({ from }, { kind: 'drop_before' }),
  refusals: ({ faults }, from, random) => faults.onMessage({ from, times: 1 + random.below(3) }, { kind: 'refuse', code: 479 }),
  'refused chats': ({ faults }, from) => faults.onMessage({ from }, { kind: 'refuse', code: 463 }),
  'new chats capped': async ({ faults }, number) => {
    faults.capNewChats(number, { quota: 10, used: 10, cycleEndsAt: Math.floor(Date.now() / 1000) + 3600 });
    await sleep(2_000);
    faults.capNewChats(number, null);
  },
  'account changed': ({ person }, number, random) => person(number).nudges(random.pick(['few_keys', 'account_sync', 'dirty'])),
  'outdated LIDs': ({ faults }, from, random) => faults.onMessage({ from, times: 1 + random.below(3) }, { kind: 'stale_lid' }),
  'version refused': ({ faults, builds }, number) => {
    builds.publish(builds.newest + 100);
    builds.refuseBelow(builds.newest);
    return faults.end(number, { kind: 'drop' });
  },
  'app reinstalled': async ({ faults, person, record }, from, random) => {
    const friends = record.stanzas.filter((stanza) => stanza.from === from).map(({ to }) => to);
    if (friends.length === 0) return;
    // A repetition that is refused for a restriction is given up.
    faults.clear();
    person(random.pick(friends)).reinstall({ silently: random.chance(0.5) });
    await sleep(3_000);
  },
  'slow acknowledgements': ({ faults }, from, random) => faults.onMessage({ from, times: 3 }, { kind: 'delay', ms: random.below(3000) }),
  'queries unanswered': ({ faults }) => faults.onUsync({}, { kind: 'silence' }),
  'queries refused': ({ faults }) => faults.onUsync({ times: 2 }, { kind: 'error' }),
  'queries cut': ({ faults }) => faults.onUsync({}, { kind: 'drop' }),
  'uploads refused': ({ faults }) => faults.onUpload({ times: 2 }, { kind: 'refuse' }),
  'uploads cut': ({ faults }) => faults.onUpload({}, { kind: 'cut' }),
  'uploads unanswered': ({ faults }) => faults.onUpload({}, { kind: 'hang' }),
  'logins refused': async ({ faults }, number) => {
    faults.onLogin(number, { code: 503 });
    await faults.end(number, { kind: 'drop' });
    await sleep(2_000);
    faults.onLogin(number, null);
  },
  'nobody let in': async (server, _, random) => {
    server.faults.refuseConnections(true);
    for (const number of server.record.connected()) {
      // Others may have been lost meanwhile.
      if (random.chance(0.5) && server.record.connected().includes(number)) await server.faults.end(number, { kind: 'drop' });
    }
    await sleep(1_000 + random.below(4_000));
    server.faults.refuseConnections(false);
  },
};

/** What befalls the repetition of a message that its phone could not read. */
const repetitionFaults: Readonly<Record<string, readonly MessageFault[]>> = {
  undecryptable: [],
  'undecryptable twice': [{ kind: 'undecryptable' }],
  'undecryptable, then refused': [{ kind: 'refuse', code: 479 }],
  'undecryptable, then refused thrice': [
    { kind: 'refuse', code: 479 },
    { kind: 'refuse', code: 500 },
    { kind: 'refuse', code: 479 },
  ],
  'undecryptable, then dropped': [{ kind: 'drop_before' }],
  'undecryptable, then dropped thrice': [{ kind: 'drop_before' }, { kind: 'drop_before' }, { kind: 'drop_before' }],
  'undecryptable, then not acknowledged': [{ kind: 'lose_ack' }],
  'undecryptable, then dropped late': [{ kind: 'drop' }],
};

/** What a phone could not read it asks for again, which the gateway answers from memory: not while that is lost on purpose. */
function spoil({ faults }: WhatsAppServer, from: string, name: string): void {
  faults.onMessage({ from }, { kind: 'undecryptable' });
  for (const fault of repetitionFaults[name] ?? []) faults.onMessage({ from }, fault);
}

/**
 * Whether this fault may befall this number. A number that may not write gives up what its recipients ask for again, so that some numbers are never
 * restricted, and the others' messages always readable.
 */
function befalls(name: string, number: string): boolean {
  const restricted = Number(number.at(-1)) % 2 === 0;
  if (name === 'refused chats' || name === 'new chats capped') return restricted;
  return !(restricted && name in repetitionFaults);
}

/** Makes things go wrong one after another until `over` says so. */
export async function trouble(options: {
  readonly server: WhatsAppServer;
  readonly random: Seeded;
  /** Faults besides those of the network, such as restarts of the gateway; a quarter of all while there are any. */
  readonly also: Readonly<Record<string, () => Promise<unknown>>>;
  /** Whether phones may ask for messages again. */
  readonly retries: boolean;
  /** The longest pause between two faults, in milliseconds. */
  readonly pauseMs: number;
  readonly over: () => boolean;
  /** Counts them by name. */
  readonly happened: Map<string, number>;
}): Promise<void> {
  const { server, random, also, happened } = options;
  const note = (name: string) => void happened.set(name, (happened.get(name) ?? 0) + 1);
  const pickName = () => {
    if (random.chance(0.25) && Object.keys(also).length > 0) return random.pick(Object.keys(also));
    return random.pick(Object.keys(options.retries && random.chance(0.3) ? repetitionFaults : networkFaults));
  };
  while (!options.over()) {
    await sleep(random.below(options.pauseMs));
    if (options.over()) return;
    const name = pickName();
    const numbers = server.record.connected().filter((number) => befalls(name, number));
    if (numbers.length === 0) continue;
    const number = random.pick(numbers);
    if (name in repetitionFaults) spoil(server, number, name);
    else await (also[name]?.() ?? networkFaults[name]?.(server, number, random));
    note(name);
  }
}
