import { hash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../core/index.ts';
import { lookInto, readKeys, textsOf } from './baileys.ts';
import { readCredentials, readJson } from './baileys-values.ts';
import { type Archive, asLabel, type Found, found } from './found.ts';
import { openDatabase, type PeerDatabase } from './peer-database.ts';
import { openPeerRedis, type PeerRedis } from './peer-redis.ts';

/**
 * Evolution API keeps what Baileys gives it in one of three ways: credentials in the table `Session` and keys in a folder for each instance
 * (`instances/ID`), or the keys in Redis, or all in Redis.
 */

interface Instance {
  readonly id: string;
  readonly name: string;
  /** The JSON of its credentials; null when they are in Redis. */
  readonly creds: string | null;
}

/** `place`: the URL of the PostgreSQL or MySQL database, or of Redis when all is there. `keys`: the folder `instances`, or the URL of Redis. */
export async function openEvolution(place: string, keys: string | null): Promise<Archive> {
  const isRedis = (text: string) => /^rediss?:\/\//.test(text);
  if (!isRedis(place) && keys === null) {
    throw new OperatorError('say with --keys where the keys are: the folder instances, or the URL of Redis (CACHE_REDIS_URI)');
  }
  const redisUrl = [place, keys].find((one) => one !== null && isRedis(one)) ?? null;
  const database = isRedis(place) ? null : await openDatabase(place, 'Session');
  let redis: PeerRedis | null = null;
  const close = async () => {
    await database?.close();
    await redis?.close();
  };
  try {
    redis = redisUrl === null ? null : await openPeerRedis(redisUrl);
    if (redis === null && !(await isFolder(keys ?? ''))) throw new OperatorError(`${keys} is no folder`);
    const from = redis;
    const instances = database === null ? await inRedis(from) : await inDatabase(database);
    return {
      sources: [...instances.keys()],
      async read(source) {
        const instance = instances.get(source);
        if (instance === undefined) throw new Error(`no instance ${source}`);
        return from === null ? readFiles(instance, join(keys ?? '', instance.id)) : readRedis(instance, from);
      },
      wasUsed: async () => (await database?.wasUsed()) ?? false,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const isFolder = async (path: string) => (await stat(path).catch(() => null))?.isDirectory() === true;

async function inDatabase(database: PeerDatabase): Promise<Map<string, Instance>> {
  const rows = await database.rows(
    'select s."sessionId" as id, s.creds, i.name from "Session" s left join "Instance" i on i.id = s."sessionId" order by i.name, s."sessionId"',
  );
  return new Map(
    rows.map(({ id, name, creds }) => {
      const source = typeof name === 'string' ? name : String(id);
      return [source, { id: String(id), name: source, creds: typeof creds === 'string' ? creds : null }];
    }),
  );
}

async function inRedis(redis: PeerRedis | null): Promise<Map<string, Instance>> {
  const ids = redis?.instances() ?? [];
  return new Map(ids.map((id) => [id, { id, name: id, creds: null }]));
}

async function readFiles(instance: Instance, folder: string): Promise<Found> {
  // An id of another program is part of a path here.
  if (!/^[\w-]{1,100}$/.test(instance.id)) return { source: instance.name, stamp: '', problem: 'has an unusual id', number: null };
  const isThere = await isFolder(folder);
  return found(instance.name, '', async () => {
    const { files, stamp, usedAt } = isThere ? await lookInto(folder) : { files: [], stamp: '', usedAt: null };
    return assembled(instance, instance.creds, stamp, usedAt, textsOf(folder, files));
  });
}

function readRedis(instance: Instance, redis: PeerRedis): Promise<Found> {
  return found(instance.name, '', async () => {
    const texts = await redis.fields(instance.id);
    const stamp = hash('sha256', JSON.stringify([...texts].sort()));
    const entries = async function* () {
      // A field is named as a file is, but with slashes.
      for (const [field, text] of texts) yield [`${field.replaceAll('/', '__')}.json`, text] as const;
    };
    return assembled(instance, instance.creds ?? texts.get('creds') ?? null, stamp, null, entries());
  });
}

function assembled(
  { name }: Instance,
  creds: string | null,
  stamp: string,
  usedAt: number | null,
  texts: AsyncIterable<readonly [string, string]>,
): Promise<Found> {
  // Only the change of a key is seen in a stamp, so credentials are part of it.
  const whole = `${stamp} ${hash('sha256', creds ?? '')}`;
  return found(name, whole, async () => {
    const credentials = readCredentials(readJson(creds ?? ''));
    const { left, ...keys } = await readKeys(texts);
    return { source: name, stamp: whole, problem: null, number: { ...credentials, ...keys }, label: asLabel(name), usedAt, left };
  });
}
