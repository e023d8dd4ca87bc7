import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Clock, createVault, firstKeys, type Keys, type Log, mostKeys, OperatorError, Periodic, type Vault } from '../core/index.ts';
import { readMeta, type Store } from '../store/index.ts';
import { keysNameOf, keysPrefix, otherSecretKey, secretKeyCheck, secretKeyCheckName } from './installation.ts';

// An installation whose SECRET_KEY was replaced keeps its keys in the table `meta`, once for each SECRET_KEY that is good at present, sealed
// with it. Without such rows SECRET_KEY itself is the only key.

/** How often a running server looks whether there is a new key, in milliseconds. */
export const lookEveryMs = 5_000;

const context = 'keys of the installation';

/** What the row of a SECRET_KEY holds. */
interface OwnKeys extends Keys {
  /** Whether another SECRET_KEY is to take the place of this one. */
  readonly replaced: boolean;
}

/**
 * The vault of an installation. Throws OperatorError when its SECRET_KEY is another one. A server logs once that its SECRET_KEY is good no more,
 * and works on with the keys that it knows.
 */
export async function openVault(db: Store['db'], secretKey: Buffer, log: Pick<Log, 'warn'> | null = null): Promise<Vault> {
  let had = false;
  return createVault(await readKeys(db, secretKey), async () => {
    const own = await readOwn(db, secretKey);
    if (own === null && had)
      log?.warn({}, 'the SECRET_KEY of this server is good no more: a rotation was finished or given up; restart it with the one that is');
    had = own !== null;
    return own;
  });
}

/** Has the vault look for new keys from time to time, until it is stopped. */
export function followKeys(vault: Vault, { clock, log }: { clock: Clock; log: Pick<Log, 'error'> }): Periodic {
  const failed = 'the keys of the installation could not be read';
  return new Periodic({ clock, everyMs: lookEveryMs, work: () => vault.refresh(), log, failed }).start();
}

/**
 * Makes a new key, with which everything is sealed from now on, and lets `next` open all keys as `secretKey` does. Does nothing when an earlier
 * call has done so. Throws OperatorError when `secretKey` is another one or is replacing `next`, and while a third one is good.
 */
export async function replaceKey(store: Store, secretKey: Buffer, next: Buffer): Promise<void> {
  await store.transaction(async (trx) => {
    const rows = await readRows(trx);
    const keys = await readKeys(trx, secretKey);
    if ([...rows.keys()].some((name) => name !== keysNameOf(secretKey) && name !== keysNameOf(next))) {
      throw new OperatorError('the previous rotation is not finished: run gateway secret rotate --finish first');
    }
    if (rows.has(keysNameOf(next))) return requireKey('old', keys, secretKey);
    const number = Math.max(...keys.sealing.keys()) + 1;
    if (number > mostKeys) throw new OperatorError(`SECRET_KEY was replaced ${mostKeys} times, the maximum`);
    const after: Keys = { ...keys, sealing: new Map([...keys.sealing, [number, randomBytes(32)]]), current: number };
    const before = rows.get(keysNameOf(secretKey));
    const own = { name: keysNameOf(secretKey), value: sealedFor(secretKey, { ...after, replaced: true }) };
    const written =
      before === undefined
        ? await trx
            .insertInto('meta')
            .values(own)
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirst()
            .then((result) => result.numInsertedOrUpdatedRows)
        : await trx
            .updateTable('meta')
            .set({ value: own.value })
            .where('name', '=', own.name)
            .where('value', '=', before)
            .executeTakeFirst()
            .then((result) => result.numUpdatedRows);
    // Two keys of one number, of which one is forgotten, would lose whatever that one has sealed.
    if (written !== 1n) throw new OperatorError('another rotation is under way; wait until it has finished, and try again');
    await trx
      .insertInto('meta')
      .values({ name: keysNameOf(next), value: sealedFor(next, { ...after, replaced: false }) })
      .execute();
  });
}

/** How many other SECRET_KEYs are good. Throws OperatorError when this one is not, or is not the one of the two that `is` says. */
export async function otherKeys(store: Store, secretKey: Buffer, is: 'old' | 'new'): Promise<number> {
  const keys = await readKeys(store.db, secretKey);
  const others = [...(await readRows(store.db)).keys()].filter((name) => name !== keysNameOf(secretKey)).length;
  if (others > 0) requireKey(is, keys, secretKey);
  return others;
}

/** Whether SECRET_KEY is being replaced: the old one and the new one are good. */
export async function isRotating(db: Store['db']): Promise<boolean> {
  return (await readRows(db)).size > 1;
}

/** From now on no other SECRET_KEY is good. Throws OperatorError when this one is not, or is not the one of the two that `is` says. */
export async function endOtherKeys(store: Store, secretKey: Buffer, is: 'old' | 'new'): Promise<void> {
  await store.transaction(async (trx) => {
    // One call at a time: two that end each other's key would leave none that opens anything.
    await trx
      .updateTable('meta')
      .set((row) => ({ value: row.ref('value') }))
      .where('name', 'like', `${keysPrefix}%`)
      .execute();
    // Read again, because the other call may have ended this key.
    const keys = await readKeys(trx, secretKey);
    const rows = [...(await readRows(trx)).keys()];
    if (!rows.includes(keysNameOf(secretKey))) return;
    const others = rows.filter((name) => name !== keysNameOf(secretKey));
    if (others.length === 0) return;
    requireKey(is, keys, secretKey);
    await trx.deleteFrom('meta').where('name', 'in', others).execute();
  });
}

/** To be called while another SECRET_KEY is good. */
function requireKey(is: 'old' | 'new', { replaced, root, sealing }: OwnKeys, secretKey: Buffer): void {
  // Rows may be older than this mark. In the first rotation, which makes the second key, the old SECRET_KEY is `root`.
  const isOld = replaced || (sealing.size === 2 && secretKey.equals(root));
  if (isOld === (is === 'old')) return;
  throw new OperatorError(
    isOld
      ? 'SECRET_KEY is still the old key: set it to the new one (or put that into secret.key in DATA_DIR), restart every server with it, and run this again; without the new key, run gateway secret rotate --cancel'
      : 'SECRET_KEY is the new key already: a rotation is given up with the old one',
  );
}

async function readKeys(db: Store['db'], secretKey: Buffer): Promise<OwnKeys> {
  const own = await readOwn(db, secretKey);
  if (own !== null) return own;
  if ((await readRows(db)).size > 0) throw otherSecretKey();
  // Several servers have noted whose installation it is.
  const check = await readMeta(db, secretKeyCheckName);
  if (check !== null && check !== secretKeyCheck(secretKey)) throw otherSecretKey();
  return { ...firstKeys(secretKey), replaced: false };
}

async function readOwn(db: Store['db'], secretKey: Buffer): Promise<OwnKeys | null> {
  const value = await readMeta(db, keysNameOf(secretKey));
  return value === null ? null : openedBy(secretKey, value);
}

async function readRows(db: Store['db']): Promise<Map<string, string>> {
  const rows = await db.selectFrom('meta').selectAll().where('name', 'like', `${keysPrefix}%`).execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

const hexKey = z.string().regex(/^[0-9a-f]{64}$/);
const written = z.object({
  root: hexKey,
  sealing: z.record(z.string().regex(/^[0-9]+$/), hexKey),
  current: z.int(),
  replaced: z.boolean().default(false),
});

function sealedFor(secretKey: Buffer, { root, sealing, current, replaced }: OwnKeys): string {
  const hex = (key: Uint8Array) => Buffer.from(key).toString('hex');
  const keys = { root: hex(root), sealing: Object.fromEntries([...sealing].map(([number, key]) => [number, hex(key)])), current, replaced };
  return createVault(secretKey)
    .seal(Buffer.from(JSON.stringify(keys)), context)
    .toString('base64');
}

function openedBy(secretKey: Buffer, value: string): OwnKeys {
  const text = createVault(secretKey).open(Buffer.from(value, 'base64'), context).toString();
  const { root, sealing, current, replaced } = written.parse(JSON.parse(text));
  const bytes = (hex: string) => Buffer.from(hex, 'hex');
  return {
    root: bytes(root),
    sealing: new Map(Object.entries(sealing).map(([number, key]) => [Number(number), bytes(key)])),
    current,
    replaced,
  };
}
