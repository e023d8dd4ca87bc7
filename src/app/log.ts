import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from '../config/index.ts';

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
  // Without a place of its own pino writes past the streams of Node, which costs less.
  if (!asText) return place === process.stdout ? pino(options) : pino(options, place as DestinationStream);
  return pino(options, { write: (line: string) => void place.write(readable(line)) });
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
