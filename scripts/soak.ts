import { parseArgs } from 'node:util';
import { soak } from '../test/faults/whatsapp-soak.ts';

// Sends over a WhatsApp network of this machine for a long time while things go wrong at random, and checks in the end that every answered
// message arrived once: npm run soak -- --minutes 30 --numbers 20. Exit code 1 when something was wrong.
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    numbers: { type: 'string', default: '20' },
    rate: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const [minutes, numbers, rate, seed] = [values.minutes, values.numbers, values.rate, values.seed].map(Number);
if (!(minutes && minutes > 0) || !(numbers && numbers > 0) || !(rate && rate > 0) || seed === undefined || !Number.isSafeInteger(seed)) {
  throw new Error('--minutes, --numbers and --rate are positive numbers, --seed is a whole number');
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
say(`${minutes} minutes, ${numbers} numbers, about ${rate} sends a second, seed ${seed}`);
const report = await soak({ minutes, numbers, rate, seed, say });
const { wrong, ...figures } = report;
say(JSON.stringify(figures, null, 2));
for (const one of wrong.slice(0, 50)) say(`WRONG: ${one}`);
say(wrong.length === 0 ? 'Everything that was answered arrived once.' : `${wrong.length} things are wrong.`);
process.exitCode = wrong.length === 0 ? 0 : 1;
