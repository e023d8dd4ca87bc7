import type { Sender } from './customers.ts';
import { KeyedLoad, type KeyedSend } from './keyed-load.ts';
import type { Pace } from './pace.ts';
import type { Seeded } from './seeded.ts';

const contents: Readonly<Record<string, object>> = {
  text: { text: 'Hello' },
  location: { latitude: 52.5, longitude: 13.4 },
  contact: { contacts: [{ full_name: 'Ada', phone_number: '+49 170 1234567' }] },
  poll: { question: 'Lunch?', options: ['yes', 'no'] },
  reaction: { message_id: 'ABCDEF', emoji: '👍' },
  buttons: { title: 'Choose', buttons: [{ type: 'reply', text: 'A', id: 'a' }] },
  list: { title: 'Menu', button_text: 'Open', sections: [{ title: 'S', rows: [{ title: 'R', row_id: 'r' }] }] },
};

/** The sandbox keeps only an account's last 1,000 messages, and each of them is to be found. */
const mostPerSender = 900;

/** The sandbox loses the acknowledgement of what is sent to such a contact first. */
const lostEnding = '0004';

/** Whether the sandbox fails this send when it comes there, and answers only the next try. */
export function losesItsAcknowledgement({ to }: Pick<KeyedSend, 'to'>): boolean {
  return to.endsWith(lostEnding);
}

/** A load of sends over the sandbox, of these senders in turn. */
export function sandboxLoad(random: Seeded, senders: readonly Sender[], pace?: Pace): KeyedLoad {
  const create = (number: number): KeyedSend | null => {
    const sender = senders[number % senders.length];
    if (sender === undefined || number >= senders.length * mostPerSender) return null;
    const type = random.pick(Object.keys(contents));
    const ending = random.chance(0.1) ? lostEnding : `0${100 + random.below(800)}`;
    const to = `49170${random.below(10)}${ending}`;
    const body = { instance_id: sender.instanceId, to, ...contents[type] };
    return { key: `key-${random.seed}-${number}`, sender, type, to, body, result: null };
  };
  return new KeyedLoad({
    ...{ random, pace, create, repeats: 0.1 },
    allows: ({ status, code }) => status === 502 && code === 'upstream_unavailable',
  });
}
