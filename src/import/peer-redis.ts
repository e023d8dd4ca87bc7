import { Redis } from 'ioredis';
import { OperatorError } from '../core/index.ts';
import { Unusable } from './found.ts';

/** The Redis of Evolution API, in which each instance has one hash: `PREFIX:instance:ID`. It is only read. */
export interface PeerRedis {
  instances(): readonly string[];
  /** The fields of an instance's hash. Throws Unusable when they are too many. */
  fields(id: string): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

const answerMs = 10_000;
const atOnce = 500;
const mostInstances = 10_000;
const mostBytes = 512 * 1024 * 1024;

/** Throws OperatorError when it cannot be read. */
export async function openPeerRedis(url: string): Promise<PeerRedis> {
  const redis = new Redis(url, {
    ...{ lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0, connectTimeout: answerMs, commandTimeout: answerMs },
  });
  // Each command reports its own failure.
  redis.on('error', () => undefined);
  const hashes = new Map<string, string>();
  try {
    await redis.connect();
    for (let cursor = '0', isFirst = true; isFirst || cursor !== '0'; isFirst = false) {
      const [next, keys] = await redis.scan(cursor, 'MATCH', '*:instance:*', 'COUNT', atOnce, 'TYPE', 'hash');
      cursor = next;
      for (const key of keys) hashes.set(key.slice(key.lastIndexOf(':') + 1), key);
      if (hashes.size > mostInstances) throw new Error('too many instances');
    }
  } catch {
    redis.disconnect();
    // What the library says may hold the password.
    throw new OperatorError('Redis cannot be read with this URL');
  }
  return {
    instances: () => [...hashes.keys()].sort(),
    async fields(id) {
      const found = new Map<string, string>();
      const key = hashes.get(id);
      if (key === undefined) return found;
      let bytes = 0;
      for (let cursor = '0', isFirst = true; isFirst || cursor !== '0'; isFirst = false) {
        const [next, parts] = await redis.hscan(key, cursor, 'COUNT', atOnce);
        cursor = next;
        for (let at = 0; at < parts.length; at += 2) {
          const [field = '', text = ''] = parts.slice(at, at + 2);
          bytes += text.length;
          found.set(field, text);
        }
        if (bytes > mostBytes) throw new Unusable('has more than 512 MB of keys');
      }
      return found;
    },
    close: async () => redis.disconnect(),
  };
}
