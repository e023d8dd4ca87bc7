import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { sealedOfTargets } from '../alerts/index.ts';
import type { Config } from '../config/index.ts';
import { type Clock, OperatorError, type Vault } from '../core/index.ts';
import { opensCredentials, sealedOfNumbers } from '../sessions/index.ts';
import { reseal, type Store } from '../store/index.ts';
import { endOtherKeys, hasSecretKey, lookEveryMs, openVault, otherKeys, readSecretKey, replaceKey } from '../vault/index.ts';
import { type Run, withStore } from './environment.ts';
import { print, wantsJson } from './output.ts';

/** After this time every running server has looked for a new key. */
const learnedMs = 2 * lookEveryMs;
/** How often to look for what servers have sealed with an earlier key meanwhile. */
const mostRounds = 10;

export function addSecret(program: Command, run: Run): void {
  const group = program
    .command('secret')
    .summary('the secret key of the installation')
    .description('The secret key that encrypts stored credentials.');

  group
    .command('rotate')
    .option('--finish', 'stop accepting the old key, once SECRET_KEY is the new one and every server has been restarted with it')
    .addOption(new Option('--cancel', 'give up a rotation: stop accepting the new key, with the old SECRET_KEY').conflicts('finish'))
    .description(
      'Replace SECRET_KEY (or DATA_DIR/secret.key) with NEW_SECRET_KEY while servers run. Linked numbers stay linked, and retries are replayed.',
    )
    .addHelpText(
      'after',
      `
1. Make the new key with openssl rand -hex 32, and keep it where secrets are kept.
   Then run NEW_SECRET_KEY=… gateway secret rotate, with the current SECRET_KEY.
2. Set SECRET_KEY to the new key for every server (or put it into secret.key in DATA_DIR), and restart them one after the other.
3. Run gateway secret rotate --finish, with the new SECRET_KEY. From then on the old one no longer works.

Before step 3 gateway secret rotate --cancel, with the old SECRET_KEY, stops accepting the new key, for example because it was lost.
Run a step again if it was interrupted. People sign in at the portal again after step 1.`,
    )
    .action(async ({ finish = false, cancel = false }: { finish?: boolean; cancel?: boolean }, command: Command) => {
      const keeps = finish ? 'new' : cancel ? 'old' : null;
      const report = (line: string) => {
        if (!wantsJson(command)) run.environment.stdout(`${line}\n`);
      };
      const done = await withStore(run, async (store, config) => {
        const secretKey = await givenKey(config, store.db);
        if (keeps !== null && (await otherKeys(store, secretKey, keeps)) === 0) {
          throw new OperatorError('there is no rotation under way; start one with NEW_SECRET_KEY and gateway secret rotate');
        }
        if (keeps === null) await replaceKey(store, secretKey, newKey(run, secretKey));
        const vault = await openVault(store.db, secretKey);
        const resealed = await resealAll(run, { store, vault, report });
        if (keeps !== null) await endOtherKeys(store, secretKey, keeps);
        return resealed;
      });
      const text = finish ? finishedText : cancel ? cancelledText : begunText;
      print(run, command, { finished: finish, cancelled: cancel, ...done }, `${unreadableText(done.unreadable)}${text}`);
    });
}

const begunText = `Everything is sealed with a new key. Servers start with the present SECRET_KEY and with the new one until it is finished.
Next: set SECRET_KEY to the new key (or put it into secret.key in DATA_DIR) and restart the servers, one after the other;
then run gateway secret rotate --finish, which ends the old key.`;

const cancelledText = 'The new key no longer works; servers start with the present SECRET_KEY alone.';

const finishedText = 'The old key no longer works. Keep it as long as you keep backups from before the rotation: they need it.';

function unreadableText(count: number): string {
  return count === 0 ? '' : `${count} values could not be decrypted with any key, before or after, and were left unchanged.\n`;
}

/**
 * The secret key to seal with. Throws OperatorError like `requireSecretKey`, and when there is none yet: one made here would not be the server's,
 * which may have SECRET_KEY in its own environment.
 */
export async function givenKey(config: Config, db: Store['db']): Promise<Buffer> {
  const key = await requireSecretKey(config, db);
  if (key === null) throw new OperatorError('there is no secret key yet; the first start of the server creates one, or set SECRET_KEY');
  return key;
}

function newKey(run: Run, secretKey: Buffer): Buffer {
  const hex = run.environment.env.NEW_SECRET_KEY?.trim() ?? '';
  if (!/^[0-9a-f]{64}$/i.test(hex)) {
    throw new OperatorError('set NEW_SECRET_KEY to the new key: 64 hex digits (32 bytes), for example from: openssl rand -hex 32');
  }
  const key = Buffer.from(hex, 'hex');
  if (key.equals(secretKey)) throw new OperatorError('NEW_SECRET_KEY is the key already in use');
  return key;
}

/** Seals everything with the vault's present key, until no server seals with an earlier one any more. */
async function resealAll(run: Run, { store, vault, report }: { store: Store; vault: Vault; report: (line: string) => void }) {
  const { environment } = run;
  let sum = 0;
  for (let round = 0; round < mostRounds; round++) {
    const values = await reseal(store, vault, [...sealedOfNumbers, ...sealedOfTargets]);
    // Servers that have not looked yet cannot read what only the sign-in library reads.
    const people = round === 0 ? { resealed: 0, unreadable: 0 } : await environment.resealTwoFactors(store, vault);
    const resealed = values.resealed + people.resealed;
    sum += resealed;
    if (round > 0 && resealed === 0) return { resealed: sum, unreadable: values.unreadable + people.unreadable };
    report(`${sum} values encrypted again; in ${learnedMs / 1000} s, those that servers have written meanwhile`);
    await pause(environment.clock, learnedMs);
  }
  throw new OperatorError(
    'a server still encrypts with the old key; make sure that all run this version, restart them, and run this again',
  );
}

/** Resolves after `ms`, and keeps the process alive until then. */
async function pause(clock: Clock, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const alive = setInterval(() => undefined, ms);
  clock.after(ms, resolve);
  await promise.finally(() => clearInterval(alive));
}

/**
 * The secret key of the settings; null when there is none yet, and none is made. Throws OperatorError when numbers are linked in this database and
 * the key to their credentials is missing, or is another one.
 */
export async function requireSecretKey(config: Config, db: Store['db']): Promise<Buffer | null> {
  const keyFile = join(config.dataDir, 'secret.key');
  const isGiven = hasSecretKey(config);
  // Reading a key that is not there would make one.
  const key = isGiven ? readSecretKey(config) : null;
  if ((await opensCredentials(db, key === null ? null : await openVault(db, key))) !== false) return key;
  throw new OperatorError(
    isGiven
      ? `the credentials of the linked numbers are encrypted with a different key from ${config.secretKey === null ? keyFile : 'SECRET_KEY'}; provide the key that belongs to this database`
      : `the linked numbers need their secret key: set SECRET_KEY, or put it into ${keyFile}, and try again`,
  );
}
