import type { DEFAULT_CONNECTION_CONFIG } from 'baileys';

const nothing = () => undefined;

/** A logger for Baileys that writes nothing. */
export const silentLog: typeof DEFAULT_CONNECTION_CONFIG.logger = {
  level: 'silent',
  child: () => silentLog,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};
