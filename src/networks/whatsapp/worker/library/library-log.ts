import type { UserFacingSocketConfig } from 'baileys';
import type { LogLine } from '../../protocol.ts';

/** The log of the worker's own rooms. It takes words and codes from the fields only, like LibraryLog. */
export interface WorkerLog {
  warn(fields: unknown, message: string): void;
  error(fields: unknown, message: string): void;
}

/** The logger that Baileys writes to. */
export type LibraryLog = NonNullable<UserFacingSocketConfig['logger']>;

export type ForwardLine = (level: 'debug' | 'warn' | 'error', line: LogLine) => void;

const longestText = 300;
/** Baileys logs this whenever the network ends a stream, even for the restart after each pairing. The link itself logs the ends that matter. */
const streamEnd = 'stream errored out';

/**
 * Forwards only the text of warnings and errors, because the objects that Baileys passes with them contain keys, numbers and messages. Baileys logs
 * much as `error` that the gateway handles, so each line is logged one level lower.
 */
export function createLibraryLog(forward: ForwardLine, instanceId: string): LibraryLog {
  const log: LibraryLog = {
    // Baileys checks this before it builds its most expensive lines.
    level: 'warn',
    child: () => log,
    trace: () => undefined,
    debug: () => undefined,
    info: () => undefined,
    warn: (fields, message) => forward('debug', lineOf(instanceId, fields, message)),
    error: (fields, message) => forward(message === streamEnd ? 'debug' : 'warn', lineOf(instanceId, fields, message)),
  };
  return log;
}

/** A log that forwards the same as the library's log, with the level that the line was given. */
export function createWorkerLog(forward: ForwardLine, instanceId: string): WorkerLog {
  return {
    warn: (fields, message) => forward('warn', lineOf(instanceId, fields, message)),
    error: (fields, message) => forward('error', lineOf(instanceId, fields, message)),
  };
}

function lineOf(instanceId: string, fields: unknown, message: string | undefined): LogLine {
  const words = typeof fields === 'string' ? fields : (message ?? '');
  return { instanceId, message: words.slice(0, longestText), error: errorIn(fields) };
}

/** The code of the error in the fields. Its message is left out, because it may quote content. */
function errorIn(fields: unknown): string | null {
  if (typeof fields !== 'object' || fields === null) return null;
  for (const value of [fields, ...Object.values(fields)]) {
    if (!(value instanceof Error)) continue;
    const code = 'code' in value && typeof value.code === 'string' ? value.code : statusOf(value);
    return code === null ? value.name : `${value.name} ${code}`;
  }
  return null;
}

function statusOf(error: Error): string | null {
  if (!('output' in error) || typeof error.output !== 'object' || error.output === null) return null;
  return 'statusCode' in error.output ? String(error.output.statusCode) : null;
}
