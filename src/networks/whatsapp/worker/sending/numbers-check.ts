import type { Reachability } from '../../../index.ts';
import type { LinkMemory } from './link-memory.ts';
import { digitsOf } from './people.ts';
import type { SendingSocket } from './socket.ts';
import { askContacts, type Contact } from './usync.ts';

/** The most numbers in one query. */
const batchSize = 50;

interface CheckOptions {
  readonly sock: SendingSocket;
  readonly memory: LinkMemory;
  readonly queryMs: number;
  /** The time limit for the whole check, in milliseconds. */
  readonly totalMs: number;
}

/**
 * Asks which numbers (digits) are on WhatsApp; one answer per number, in order. A query that fails is repeated in parts, so that only numbers about
 * which the network cannot say anything are null. Never rejects. Positive answers are remembered for sends.
 */
export async function checkNumbers(options: CheckOptions, numbers: readonly string[]): Promise<Reachability[]> {
  const until = performance.now() + options.totalMs;
  const found = new Map<string, Contact>();
  const batches = partsOf([...new Set(numbers)], batchSize);
  for (const batch of batches) await askInParts(options, batch, until, found);
  for (const [number, contact] of found) if (contact !== null) options.memory.people.set(number, contact.person);
  return numbers.map((number) => {
    const contact = found.get(number);
    if (contact === undefined) return { reachable: null, networkNumber: null };
    if (contact === null) return { reachable: false, networkNumber: null };
    return { reachable: true, networkNumber: digitsOf(contact.person.pn) ?? number };
  });
}

async function askInParts(options: CheckOptions, numbers: readonly string[], until: number, found: Map<string, Contact>): Promise<void> {
  const { sock, queryMs } = options;
  const left = until - performance.now();
  if (left <= 0 || !sock.ws.isOpen) return;
  let answered: ReadonlyMap<string, Contact> = new Map();
  try {
    answered = await askContacts(sock, numbers, Math.min(queryMs, left));
  } catch {
    // Numbers that are still missing are asked for again below or stay unknown.
  }
  for (const [number, contact] of answered) found.set(number, contact);
  const open = numbers.filter((number) => !found.has(number));
  if (open.length === 0 || numbers.length === 1) return;
  // Few rounds matter more than few queries, because each round may take the whole time limit of an unanswered query.
  await Promise.all(partsOf(open, Math.ceil(Math.sqrt(open.length) / 2)).map((part) => askInParts(options, part, until, found)));
}

function partsOf<Item>(items: readonly Item[], size: number): Item[][] {
  const parts: Item[][] = [];
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size));
  return parts;
}
