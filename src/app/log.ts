import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from '../config/index.ts';

/** How much of the log waits in memory while it cannot be written; further lines are lost. */
const mostWaitingBytes = 16 * 1024 * 1024;

interface LogPlace {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** The program's log: lines for people on a terminal, otherwise JSON, unless LOG_FORMAT says which. Never a key. */
export function createLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>, place: LogPlace = process.stdout): Logger {
  const options = {
    level: logLevel,
    redact: ['*.apikey', 'req.headers.apikey'],
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const asText = logFormat === 'text' || (logFormat === 'auto' && place.isTTY === true);
  if (!asText) return pino(options, place === process.stdout ? standardOutput() : (place as DestinationStream));
  return pino(options, { write: (line: string) => void place.write(readable(line)) });
}

/** Stdout past the streams of Node, which costs less. What cannot be written, as on a full disk, waits for the next line. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ sync: false, maxLength: mostWaitingBytes });
  // Unheard, the error would end the process.
  output.on('error', () => {
    // At the exit the library would try for as long as the disk is full.
    output.flushSync = () => undefined;
  });
  return output;
}

/** What a line of text has in its first place or not at all. */
const shownElsewhere = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'err']);

/** One line of JSON as a line for people; the stack of an error in lines of its own. */
export function readable(line: string): string {
  const entry: unknown = JSON.parse(line);
  if (typeof entry !== 'object' || entry === null) return line;
  const fields = new Map(Object.entries(entry));
  const rest = [...fields].filter(([name]) => !shownElsewhere.has(name)).map(([name, value]) => `${name}=${shown(value)}`);
  const level = String(fields.get('level')).toUpperCase().padEnd(5);
  const stack = stackOf(fields.get('err'));
  return `${[fields.get('time'), level, harmless(String(fields.get('msg') ?? '')), ...rest].join(' ')}\n${stack}`;
}

function shown(value: unknown): string {
  if (typeof value !== 'string') return harmless(JSON.stringify(value));
  return harmless(/^[\w.:/@+-]+$/.test(value) ? value : JSON.stringify(value));
}

function stackOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('stack' in error)) return '';
  return `${String(error.stack)
    .split('\n')
    .map((line) => `    ${harmless(line)}`)
    .join('\n')}\n`;
}

/** Without what a terminal would obey; labels come from customers. */
function harmless(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '?');
}
