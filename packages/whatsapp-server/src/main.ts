import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { commandHelp, runCommand } from './commands.ts';
import { startWhatsAppServer } from './server.ts';
import { lenient } from './strictness.ts';

// Runs the WhatsApp server for tests alone, to try the gateway against it: prints the settings, then takes one command per line.
// With --json every answer is one line of JSON, for programs that run it beside themselves.
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
    decrypt: { type: 'string', default: 'at_once' },
    'no-receipts': { type: 'boolean', default: false },
    lenient: { type: 'boolean', default: false },
    log: { type: 'boolean', default: false },
  },
});
const { decrypt } = values;
if (decrypt !== 'at_once' && decrypt !== 'when_asked' && decrypt !== 'never') throw new Error('--decrypt is at_once, when_asked or never');

const say = (line: string) => process.stdout.write(`${line}\n`);
const server = await startWhatsAppServer({
  port: Number(values.port),
  decrypt,
  receipts: !values['no-receipts'],
  ...(values.lenient ? { strictness: lenient } : {}),
  log: (line) => {
    if (values.log) process.stderr.write(`${line}\n`);
  },
});
const settings = { WHATSAPP_URL: server.url, WHATSAPP_ROOT_KEY: server.rootKey, WHATSAPP_CA_FILE: server.caFile };

if (values.json) say(JSON.stringify(settings));
else {
  say('A WhatsApp network of its own runs on this machine. Start the gateway with');
  for (const [name, value] of Object.entries(settings)) say(`  ${name}=${value}`);
  say('and play the phones here (Ctrl-C ends):');
  for (const line of commandHelp) say(`  ${line}`);
}

const lines = createInterface({ input: process.stdin });
process.once('SIGINT', () => lines.close());
process.once('SIGTERM', () => lines.close());
for await (const line of lines) {
  if (line.trim() === '') continue;
  try {
    const result = await runCommand(server, line);
    say(values.json ? JSON.stringify({ ok: true, result }) : result === null ? 'done' : JSON.stringify(result, null, 2));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    say(values.json ? JSON.stringify({ ok: false, reason }) : `failed: ${reason}`);
  }
}
await server.close();
