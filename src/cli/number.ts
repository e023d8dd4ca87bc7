import type { Command } from 'commander';
import QRCode from 'qrcode';
import { createPassingKey, everyNumber, findNumber, listNumbers, revokeKey } from '../accounts/index.ts';
import { iso, isUuid, OperatorError, readProxyAddress, shownProxy } from '../core/index.ts';
import { makeScanLink } from '../people/index.ts';
import { numberView, restrictionView, setProxy, storedNumber, storedProxy, storedStanding } from '../sessions/index.ts';
import type { Store } from '../store/index.ts';
import { openVault } from '../vault/index.ts';
import { phoneNumber, uuid } from './arguments.ts';
import { byCommandLine, type Run, UsageError, withStore } from './environment.ts';
import { brandsOf, portalAddress } from './handed-link.ts';
import { addNumberBudget } from './number-budget.ts';
import { addNumberShow } from './number-show.ts';
import { restrictionText, standingText } from './number-words.ts';
import { fields, list, print, wantsJson } from './output.ts';
import { openOwnServer } from './own-server.ts';
import { pair, type ShownCode } from './pairing.ts';
import { givenKey } from './secret.ts';

/** Scanning, and then ten minutes for a passkey. */
const pairingLimitMs = 20 * 60 * 1000;
// What a shell reports for a program that Ctrl-C ended.
const interruptedExit = 130;

export function addNumber(program: Command, run: Run): void {
  const group = program
    .command('number')
    .summary("an account's numbers (instances)")
    .description("List an account's numbers, show one and its history, and link one by QR code from the terminal.");

  group
    .command('list')
    .description(
      "List an account's numbers, oldest first. Only the server knows whether a linked one is connected right now: GET /v1/instances.",
    )
    .option('--account <id>', 'the account; not needed with --needs-person')
    .option('--needs-person', 'only numbers that were linked and need a person to bring them back; in all accounts unless one is named')
    .action(async (options: { account?: string; needsPerson?: true }, command: Command) => {
      if (options.account === undefined && !options.needsPerson) command.error('error: name the --account, or ask for --needs-person');
      const now = run.environment.clock.now();
      const rows = await withStore(run, (store) => wantedNumbers(store, options, now));
      const numbers = rows.map((row) => ({ row, ...storedNumber(row, now) }));
      const text = list(
        numbers,
        {
          'INSTANCE ID': ({ id }) => id,
          LABEL: ({ label }) => label,
          NETWORK: ({ network }) => network,
          'PHONE NUMBER': ({ phoneNumber }) => phoneNumber,
          STATE: ({ standing }) => standingText(standing),
          'ACCOUNT ID': options.account === undefined && (({ accountId }) => accountId),
          CREATED: ({ createdAt }) => iso(createdAt),
          'NEW CHATS': ({ newChats }) => newChats && `${newChats.used} of ${newChats.quota}`,
          RESTRICTION: ({ restriction }) => restriction && restrictionText(restriction),
        },
        options.needsPerson ? 'No number needs a person.' : 'The account has no numbers. Create one with POST /v1/instances.',
      );
      const json = numbers.map(({ row, ...number }) => ({ ...numberView(number), linked: row.linked !== 0, conflict: row.conflict !== 0 }));
      print(run, command, json, text);
    });

  addNumberShow(group, run);
  addNumberBudget(group, run);
  addProxy(group, run);
  addScanLink(group, run);

  group
    .command('pair')
    .description(
      'Link a number: draws its QR code in the terminal, redraws it as it changes, and ends when a phone has scanned it. If WhatsApp asks for a passkey, it says what to do and takes the pasted answer. The server must be running.',
    )
    .argument('<instance-id>', 'the ID of the number, as POST /v1/instances or number list shows it', uuid)
    .option('--phone-number <digits>', 'also show a code to type on the phone with this number, instead of scanning', phoneNumber)
    .addHelpText(
      'after',
      `
It talks to the server at HOST and PORT with a key of its own that lives for at most 20 minutes and is revoked at the end.
With --json the codes are drawn on stderr and stdout gets {instance_id, status, phone_number} at the end.

Example:
  gateway number pair 0198c0de-0000-7000-8000-000000000000
  gateway number pair 0198c0de-0000-7000-8000-000000000000 --phone-number 4917012345678`,
    )
    .action(async (id: string, options: { phoneNumber?: string }, command: Command) => {
      const interrupted = new AbortController();
      const onSignal = () => interrupted.abort();
      const signals = ['SIGINT', 'SIGTERM'] as const;
      // Not once: npm passes a Ctrl-C on a second time, and the key must be revoked first.
      for (const signal of signals) process.on(signal, onSignal);
      // The clock's timers do not keep the process alive, so between two questions nothing else would.
      const awake = setInterval(() => undefined, pairingLimitMs);
      try {
        await pairAndReport(run, command, { id, phoneNumber: options.phoneNumber ?? null, signal: interrupted.signal });
      } finally {
        // A line may still be waited for, which would keep the process alive.
        interrupted.abort();
        clearInterval(awake);
        for (const signal of signals) process.off(signal, onSignal);
      }
    });
}

/** The numbers that are asked for, oldest first. Throws OperatorError for an unknown account. */
async function wantedNumbers(store: Store, { account, needsPerson }: { account?: string; needsPerson?: true }, now: number) {
  if (account === undefined) {
    return everyNumber(store, { providerIds: null, standing: 'needs_person', now });
  }
  const numbers = await listNumbers(store, account);
  return needsPerson ? numbers.filter((number) => storedStanding(number, now) === 'needs_person') : numbers;
}

function addProxy(group: Command, run: Run): void {
  group
    .command('proxy')
    .description(
      'Show the proxy that a number connects through, set it, or remove it with none. A running server reconnects the number at once; a number whose proxy cannot be reached stays disconnected.',
    )
    .argument('<instance-id>', 'the ID of the number, as number list shows it')
    .argument('[proxy]', 'socks5://[user:password@]host:port, http://[user:password@]host:port, or none')
    .addHelpText('after', '\nThe address is stored encrypted and shown without user name and password.')
    .action(async (word: string, given: string | undefined, _options: object, command: Command) => {
      const id = givenId(word);
      const address = given === undefined ? undefined : givenProxy(given);
      const proxy = await withStore(run, async (store, config) => {
        const instance = await findNumber(store, id);
        if (address === undefined && instance.proxy === null) return null;
        const vault = await openVault(store.db, await givenKey(config, store.db));
        if (address === undefined) return storedProxy(vault, instance);
        await setProxy({ store, vault }, instance.id, address, byCommandLine(run));
        return address === null ? null : shownProxy(address);
      });
      print(run, command, { instance_id: id, proxy }, proxy === null ? 'No proxy.' : `Proxy: ${proxy}`);
    });
}

// Commander shows a refused word as it was typed, which may be an address with its password.

function givenId(text: string): string {
  if (!isUuid(text)) throw new UsageError('the first word must be the ID of the number (a UUID)');
  return text.toLowerCase();
}

function givenProxy(text: string): string | null {
  if (text === 'none') return null;
  try {
    return readProxyAddress(text);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new UsageError(error.message);
  }
}

function addScanLink(group: Command, run: Run): void {
  group
    .command('scan-link')
    .description(
      'Print a link to a page that shows the codes of a number without a sign-in, for whoever holds the phone. It links this number and does nothing else, works until it has, for one hour at most, and ends an earlier one of the number.',
    )
    .argument('<instance-id>', 'the ID of the number, as number list shows it', uuid)
    .action(async (id: string, _options: object, command: Command) => {
      const { link, expiresAt } = await withStore(run, async (store, config) => {
        const number = await findNumber(store, id);
        const brand = await brandsOf(run, store).ofPlace({ accountId: number.account_id, providerId: null });
        const portal = portalAddress(config, brand);
        const { token, expiresAt } = await makeScanLink(store, number, byCommandLine(run));
        return { link: `${portal}/link/${token}`, expiresAt };
      });
      const text = fields([
        ['link', link],
        ['works once, until', iso(expiresAt)],
      ]);
      print(run, command, { instance_id: id, link, expires_at: iso(expiresAt) }, text);
    });
}

async function pairAndReport(
  run: Run,
  command: Command,
  what: { id: string; phoneNumber: string | null; signal: AbortSignal },
): Promise<void> {
  const { environment } = run;
  await withStore(run, async (store, config) => {
    const instance = await findNumber(store, what.id);
    const server = openOwnServer(config);
    const key = await createPassingKey(store, instance.account_id, { ttlMs: pairingLimitMs, now: environment.clock.now() });
    try {
      const paired = await pair({
        server,
        apiKey: key.key,
        instanceId: instance.id,
        phoneNumber: what.phoneNumber,
        clock: environment.clock,
        limitMs: pairingLimitMs,
        signal: what.signal,
        print: (text) => (wantsJson(command) ? environment.stderr(text) : environment.stdout(text)),
        nextLine: environment.nextLine,
        show: codeScreen(run, command, instance.network),
      });
      const { restriction } = paired;
      const json = {
        instance_id: instance.id,
        status: paired.status,
        phone_number: paired.phoneNumber,
        ...(restriction === null ? {} : { restriction: restrictionView(restriction) }),
      };
      const linked = `Linked: ${paired.phoneNumber ?? 'the number is connected'}.`;
      print(run, command, json, restriction === null ? linked : `${linked}\nBut ${restrictionText(restriction)}.`);
    } catch (error) {
      if (!what.signal.aborted) throw error;
      run.exitCode = interruptedExit;
      environment.stderr('gateway: stopped before a phone scanned the code\n');
    } finally {
      await revokeKey(store, key.id, byCommandLine(run));
      await server.close();
    }
  });
}

/** Draws each code; on a terminal over the one before, so that nobody scans an old one. */
function codeScreen(run: Run, command: Command, network: string): (shown: ShownCode) => Promise<void> {
  const { environment } = run;
  const json = wantsJson(command);
  const colours = environment.isTerminal && !json;
  let drawnLines = 0;
  return async ({ code, pairingCode, rotation, rotationLimit }) => {
    // Without a terminal escape sequences would only be noise; plain blocks still scan, dark on light.
    const picture = await QRCode.toString(code, colours ? { type: 'terminal', small: true } : { type: 'utf8' });
    const count = rotation === null || rotationLimit === null ? '' : ` (code ${rotation} of ${rotationLimit})`;
    const lines = [...picture.trimEnd().split('\n'), `${howToScan(network, code)}${count}`];
    if (pairingCode !== null) lines.push(`Or choose "Link with phone number instead" there and type ${pairingCode}`);
    const erase = colours && drawnLines > 0 ? `\u001b[${drawnLines}A\u001b[J` : '';
    drawnLines = lines.length;
    const text = `${erase}${lines.join('\n')}\n`;
    if (json) environment.stderr(text);
    else environment.stdout(text);
  };
}

function howToScan(network: string, code: string): string {
  // The sandbox has no phone with a camera.
  if (network === 'sandbox') return `Scan this with POST /sandbox/scan, code: ${code}`;
  return 'Scan this with the phone: WhatsApp, Linked devices, Link a device';
}
