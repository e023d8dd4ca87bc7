import type { LoadJob, LoadResult } from './load.ts';
import { type CpuTime, cpuTime, end, nextMessage, runFile } from './processes.ts';
import { type GatewayProcess, link, makeData, startGateway } from './whatsapp-gateway.ts';
import type { NetworkProcess } from './whatsapp-network.ts';

/** How texts are sent. */
interface Way {
  readonly through: 'library' | 'gateway';
  readonly numbers: number;
  readonly recipients: number;
  readonly keyed: boolean;
  /** How many sends are under way at once. */
  readonly inFlight: number;
  /** Every send is the first to its recipient. */
  readonly cold: boolean;
}

interface Variant extends Way {
  readonly name: string;
  /** The name of the variant that is the measure of this one; measured before it. */
  readonly comparedWith: string;
}

const rawOne = 'raw, 1 number';
const rawMany = 'raw, 1 number to 100';
const rawEight = 'raw, 8 numbers';
const rawCold = 'raw, cold recipients';
const rawSingle = 'raw, one at a time';

const one = { numbers: 1, recipients: 1, keyed: false, inFlight: 32, cold: false };
export const sendVariants: readonly Variant[] = [
  { name: rawOne, comparedWith: rawOne, through: 'library', ...one },
  { name: 'gateway, 1 number', comparedWith: rawOne, through: 'gateway', ...one },
  { name: 'gateway, 1 number, key', comparedWith: rawOne, through: 'gateway', ...one, keyed: true },
  { name: rawMany, comparedWith: rawMany, through: 'library', ...one, recipients: 100 },
  { name: 'gateway, 1 number to 100', comparedWith: rawMany, through: 'gateway', ...one, recipients: 100 },
  { name: rawEight, comparedWith: rawEight, through: 'library', ...one, numbers: 8 },
  { name: 'gateway, 8 numbers', comparedWith: rawEight, through: 'gateway', ...one, numbers: 8 },
  { name: rawCold, comparedWith: rawCold, through: 'library', ...one, cold: true },
  { name: 'gateway, cold recipients', comparedWith: rawCold, through: 'gateway', ...one, cold: true },
  { name: rawSingle, comparedWith: rawSingle, through: 'library', ...one, inFlight: 1 },
  { name: 'gateway, one at a time', comparedWith: rawSingle, through: 'gateway', ...one, inFlight: 1 },
];

/** What was measured, of one round. */
export interface Sends {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
  /** Microseconds per send. */
  readonly cpu: CpuTime;
  /** The network's process, microseconds per send. */
  readonly networkCpu: number;
}

/** Something that sends and is measured while it does. */
export interface Subject {
  readonly pid: number;
  load(seconds: number): Promise<LoadResult>;
  stop(): Promise<void>;
}

const warmUpSeconds = 3;
let lastNumber = 0;

const sixDigits = (value: number) => String(value).padStart(6, '0');
const newNumbers = (count: number) => Array.from({ length: count }, () => `4915100${sixDigits(++lastNumber)}`);
/** What the numbers of up to a million people begin with whom nobody has written to. */
const newPrefix = () => `492${sixDigits(++lastNumber)}`;

/** Sends for so many seconds after a warm-up. Throws when a send was answered that the network has not seen. */
export async function measureSends(
  variant: Variant,
  network: NetworkProcess,
  { seconds, nodeOptions }: { seconds: number; nodeOptions: readonly string[] },
): Promise<Sends> {
  const subject = await startSubject(variant, network, { nodeOptions });
  try {
    await subject.load(warmUpSeconds);
    const before = { messages: (await network.counted()).messages, cpu: cpuTime(subject.pid), network: cpuTime(network.pid) };
    const result = await subject.load(seconds);
    const cpu = perSend(before.cpu, cpuTime(subject.pid), result.answered);
    const networkCpu = perSend(before.network, cpuTime(network.pid), result.answered);
    const { messages, problems, incomplete } = await network.counted();
    if (problems.length > 0 || incomplete > 0) throw new Error(`the network complains: ${problems[0] ?? `${incomplete} incomplete`}`);
    const seen = messages - before.messages;
    if (seen < result.answered) throw new Error(`${result.answered} sends were answered, the network saw ${seen}`);
    return { ...result, cpu, networkCpu: networkCpu.main + networkCpu.others };
  } finally {
    await subject.stop();
  }
}

/** Of a gateway's process. */
interface GatewayOptions {
  readonly nodeOptions?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts the process, links new numbers to it, and makes their sessions. */
export function startSubject(way: Way, network: NetworkProcess, options: GatewayOptions = {}): Promise<Subject> {
  return way.through === 'library' ? startLibrary(way, network) : startLoaded(way, network, options);
}

function perSend(before: CpuTime, after: CpuTime, sends: number): CpuTime {
  return { main: (after.main - before.main) / sends, others: (after.others - before.others) / sends };
}

async function startLibrary({ numbers, recipients, inFlight, cold }: Way, network: NetworkProcess): Promise<Subject> {
  const newRecipients = cold ? newPrefix() : null;
  const task = { network: network.settings, newRecipients, senders: newNumbers(numbers), recipients: newNumbers(recipients), inFlight };
  const child = runFile('raw-baileys.ts', { args: [JSON.stringify(task)] });
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  child.on('message', ({ scan }: { scan?: { number: string; code: string } }) => {
    if (scan !== undefined) network.scan(scan.number, scan.code).catch(failed.reject);
  });
  const answer = async <T extends object>(name: keyof T, extraMs = 0): Promise<T> => {
    for (;;) {
      const message = await Promise.race([nextMessage<T>(child, extraMs), failed.promise]);
      if (name in message) return message;
    }
  };
  await answer<{ ready: boolean }>('ready');
  return {
    pid: child.pid ?? 0,
    load(seconds) {
      child.send({ seconds });
      return answer<LoadResult>('perSecond', seconds * 1000);
    },
    stop: () => end(child, 'SIGKILL'),
  };
}

async function startLoaded(
  { numbers, recipients, keyed, inFlight, cold }: Way,
  network: NetworkProcess,
  { nodeOptions = [], settings = {} }: GatewayOptions,
): Promise<Subject> {
  const data = await makeData(network, 1, settings);
  const gateway = await startGateway(data, nodeOptions);
  const stop = async () => {
    await gateway.stop();
    data.remove();
  };
  try {
    const bodies = await linkAndGreet(gateway, network, { numbers, recipients });
    const task = () => ({ bodies, keyed, connections: inFlight, ...(cold ? { newRecipients: newPrefix() } : {}) });
    return { pid: gateway.pid, stop, load: (seconds) => load(gateway, { ...task(), seconds }) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Links new numbers and sends from each to each of as many new recipients, so that all have sessions. Gives what such a text is addressed with. */
export async function linkAndGreet(
  gateway: GatewayProcess,
  network: NetworkProcess,
  { numbers, recipients }: Pick<Way, 'numbers' | 'recipients'>,
): Promise<{ readonly instance_id: string; readonly to: string }[]> {
  const to = newNumbers(recipients);
  const instances = await link(gateway, network, newNumbers(numbers));
  const bodies = to.flatMap((recipient) => instances.map((instance_id) => ({ instance_id, to: recipient })));
  for (const body of bodies) await sendOne(gateway, body);
  return bodies;
}

/** Makes the session between two numbers. */
async function sendOne({ address, headers }: GatewayProcess, body: object): Promise<void> {
  const response = await fetch(`${address}/v1/messages/text`, {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, text: 'Hello' }),
  });
  if (!response.ok) throw new Error(await response.text());
}

export async function load({ address, headers }: GatewayProcess, how: Omit<LoadJob, 'address' | 'headers'>): Promise<LoadResult> {
  const child = runFile('load.ts');
  child.send({ address, headers: headers(), ...how });
  const result = await nextMessage<LoadResult>(child, how.seconds * 1000);
  await end(child, 'SIGTERM');
  return result;
}
