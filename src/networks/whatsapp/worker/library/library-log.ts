import type { LogLine } from '../../protocol.ts';

/** The logger that Baileys writes to. */
export interface LibraryLog {
  level: string;
  child(bindings: Record<string, unknown>): LibraryLog;
  trace(fields: unknown, message?: string): void;
  debug(fields: unknown, message?: string): void;
  info(fields: unknown, message?: string): void;
  warn(fields: unknown, message?: string): void;
  error(fields: unknown, message?: string): void;
}

export type ForwardLine = (level: 'debug' | 'warn' | 'error', line: LogLine) => void;

const longestText = 300;
/** Baileys logs this for every stream that the network ends, also for the restart after each pairing. The link logs those that matter. */
const streamEnd = 'stream errored out';

/**
 * Takes only the text of a warning or an error: the objects that Baileys passes along hold keys, numbers and messages.
 * Baileys logs much as `error` that the gateway handles by itself, so each line is logged one level lower.
 */
export function createLibraryLog(forward: ForwardLine, instanceId: string): LibraryLog {
  const log: LibraryLog = {
    // Baileys compares this before it builds the most expensive lines.
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

function lineOf(instanceId: string, fields: unknown, message: string | undefined): LogLine {
  const words = typeof fields === 'string' ? fields : (message ?? '');
  return { instanceId, message: words.slice(0, longestText), error: errorIn(fields) };
}

/** The code of the error among the fields. Its message is left out, because it may quote content. */
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
