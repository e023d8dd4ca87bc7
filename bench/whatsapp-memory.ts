import { setTimeout as wait } from 'node:timers/promises';
import { residentMb } from './processes.ts';
import { makeData, startGateway } from './whatsapp-gateway.ts';
import type { NetworkProcess } from './whatsapp-network.ts';
import { linkAndGreet, load } from './whatsapp-sends.ts';

interface MemoryOptions {
  /** How many texts to send at least. */
  readonly sends: number;
  readonly numbers: number;
  readonly recipients: number;
  readonly nodeOptions: readonly string[];
}

/** Sends are made in runs of this length, in seconds, so that a busy machine does not change how many they are. */
const runSeconds = 5;
const restMs = 60_000;
const sampleMs = 500;

/** Sends so many texts and watches the memory of the gateway: meanwhile, right after, and a minute later. Gives names and figures in reading order. */
export async function measureMemory(
  network: NetworkProcess,
  { sends, numbers, recipients, nodeOptions }: MemoryOptions,
): Promise<[string, string][]> {
  const data = await makeData(network, 1);
  const gateway = await startGateway(data, nodeOptions);
  const samples: number[] = [];
  const sampling = setInterval(() => samples.push(residentMb(gateway.pid)), sampleMs);
  try {
    const bodies = await linkAndGreet(gateway, network, { numbers, recipients });
    const before = residentMb(gateway.pid);
    samples.length = 0;
    let answered = 0;
    let failures = 0;
    while (answered < sends) {
      const result = await load(gateway, { bodies, keyed: false, seconds: runSeconds });
      answered += result.answered;
      failures += result.failures;
      process.stderr.write(`${answered} sent, ${residentMb(gateway.pid).toFixed(0)} MB\n`);
    }
    const peak = Math.max(...samples);
    const after = residentMb(gateway.pid);
    await wait(restMs);
    const rested = residentMb(gateway.pid);
    const mb = (value: number) => value.toFixed(0);
    return [
      ['texts sent', String(answered)],
      ['failures', String(failures)],
      [`${numbers} linked, MB`, mb(before)],
      ['most while sending, MB', mb(peak)],
      ['after the last, MB', mb(after)],
      ['a minute later, MB', mb(rested)],
    ];
  } finally {
    clearInterval(sampling);
    await gateway.stop();
    data.remove();
  }
}
