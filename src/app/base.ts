import { readFileSync } from 'node:fs';
import type { Config } from '../config/index.ts';
import { neededOpenFiles, type OperatorError, openFileLimit, programFile, raiseOpenFileLimit, systemClock } from '../core/index.ts';
import { Connections, connectionLimitsFor } from '../http/index.ts';
import { createLog } from './log.ts';
import type { Overrides } from './overrides.ts';
import { ShutdownSteps } from './stop.ts';

/** The program's version, from package.json, which lies beside the folder of the built program. */
export const version: string = JSON.parse(readFileSync(programFile('../package.json'), 'utf8')).version;

/** `Overrides.closeMs` of a real stop. */
const defaultCloseMs = 5_000;

/** How far the process is, and where it listens. */
interface AppState {
  phase: 'starting' | 'running' | 'stopping';
  /** Empty before it listens. */
  address: string;
}

/** What there is before anything is opened. */
export type Base = ReturnType<typeof createBase>;

/** The settings and what a test puts in the place of the real thing. It opens nothing. */
export function createBase(config: Config, overrides: Overrides) {
  const log = overrides.log ?? createLog(config);
  const openFiles = openFileLimit();
  const limits = { ...connectionLimitsFor(openFiles), ...overrides.connectionLimits };
  if (openFiles !== null && openFiles < neededOpenFiles) {
    log.warn(
      `this process may have only ${openFiles} files and connections open, so clients get ${limits.altogether} connections; ${raiseOpenFileLimit}`,
    );
  }
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  const clock = overrides.clock ?? systemClock;
  const closeMs = overrides.closeMs ?? defaultCloseMs;
  const state: AppState = { phase: 'starting', address: '' };
  return {
    config,
    overrides,
    version,
    log,
    clock,
    random: overrides.random ?? Math.random,
    /** What is compared with the database's clock; null: nothing is. */
    wall: overrides.wallClock ?? (overrides.clock === undefined ? systemClock : null),
    /** Whoever turns this server's clock turns the one by which all servers judge. */
    sharedTime: overrides.clock === undefined ? {} : { now: async () => clock.now() },
    connections: new Connections({ limits, trustProxy: config.trustProxy, log }),
    state,
    /** Rejects when the app can no longer work, for example because its store was taken over. */
    failed,
    fail: (error: OperatorError) => reject(error),
    closeMs,
    shutdown: new ShutdownSteps(log, closeMs),
  };
}
