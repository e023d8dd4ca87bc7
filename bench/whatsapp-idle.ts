import { setTimeout as wait } from 'node:timers/promises';
import { residentMb } from './processes.ts';
import { type GatewayProcess, link, makeData, startGateway } from './whatsapp-gateway.ts';
import type { NetworkProcess } from './whatsapp-network.ts';

interface IdleOptions {
  readonly numbers: number;
  readonly restarts: number;
  readonly nodeOptions: readonly string[];
}

/** How long memory is left to settle, in milliseconds: a collection of old memory must have had its chance. */
const settlingMs = 20_000;
const pollMs = 50;
/** Enough for twenty lists a second. */
const keys = 16;
const longestMs = 10 * 60_000;

/** Links idle numbers and restarts their gateway. Gives names and figures in reading order. */
export async function measureIdle(network: NetworkProcess, { numbers, restarts, nodeOptions }: IdleOptions): Promise<[string, string][]> {
  const found: [string, string][] = [];
  const data = await makeData(network, keys);
  let gateway = await startGateway(data);
  try {
    const [first = '', ...others] = Array.from({ length: numbers }, (_, place) => `4915200${String(place).padStart(6, '0')}`);
    await wait(settlingMs);
    const empty = residentMb(gateway.pid);
    await link(gateway, network, [first]);
    await wait(settlingMs);
    const one = residentMb(gateway.pid);
    found.push(['no number, MB', empty.toFixed(0)], ['1 number, MB', one.toFixed(0)]);
    await link(gateway, network, others);
    await wait(settlingMs);
    const paired = residentMb(gateway.pid);
    found.push([`${numbers} numbers after linking, MB`, memory(paired, one, numbers)]);
    for (let restart = 1; restart <= restarts; restart++) {
      await gateway.stop();
      await network.counted();
      gateway = await startGateway(data, nodeOptions);
      const back = await comeBack(gateway, numbers);
      const { mostLoginsAtOnce } = await network.counted();
      await wait(settlingMs);
      found.push(
        [`restart ${restart}: first list, s`, back.first.toFixed(2)],
        ...back.open.map(([count, seconds]): [string, string] => [`restart ${restart}: ${count} open, s`, seconds.toFixed(1)]),
        [`restart ${restart}: list p50 / p99 / worst, ms`, back.latencies.map((ms) => ms.toFixed(0)).join(' / ')],
        [`restart ${restart}: logins at once`, String(mostLoginsAtOnce)],
        [`restart ${restart}: MB`, memory(residentMb(gateway.pid), one, numbers)],
      );
    }
  } finally {
    await gateway.stop();
    data.remove();
  }
  return found;
}

function memory(all: number, one: number, numbers: number): string {
  return `${all.toFixed(0)} (${((all - one) / (numbers - 1)).toFixed(2)} each)`;
}

/** Lists the instances again and again until all are open. Seconds count from the start of the process. */
async function comeBack(gateway: GatewayProcess, numbers: number) {
  const latencies: number[] = [];
  const marks = [50, 200, numbers].filter((mark, place, all) => mark <= numbers && all.indexOf(mark) === place);
  const open: [number, number][] = [];
  let first = Number.NaN;
  while (open.length < marks.length) {
    const begun = performance.now();
    const instances = await gateway.instances();
    latencies.push(performance.now() - begun);
    const seconds = (Date.now() - gateway.startedAt) / 1000;
    if (seconds * 1000 > longestMs) throw new Error(`only ${open.length} of ${marks.length} marks were reached in ${seconds} s`);
    if (Number.isNaN(first)) first = seconds;
    const count = instances.filter(({ status }) => status === 'open').length;
    for (const mark of marks.slice(open.length)) if (count >= mark) open.push([mark, seconds]);
    await wait(Math.max(0, pollMs - (performance.now() - begun)));
  }
  latencies.sort((a, b) => a - b);
  const at = (part: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? Number.NaN;
  return { first, open, latencies: [at(0.5), at(0.99), at(1)] };
}
