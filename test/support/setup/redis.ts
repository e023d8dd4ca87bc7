import type { TestProject } from 'vitest/node';
import { startRedis } from '../redis.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the Redis server of this run; tests that share it use prefixes of their own. */
    redis: string;
  }
}

/** Starts Redis for the run and stops it afterwards; the first project that needs it starts it for all. */
export default async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ('redis' in vitest.getRootProject().getProvidedContext()) return undefined;
  const server = await startRedis();
  vitest.provide('redis', server.url);
  return () => server.dispose();
}
