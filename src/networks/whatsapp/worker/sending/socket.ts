import type { WASocket } from 'baileys';

/** The parts of a Baileys socket that sending uses. */
export type SendingSocket = Pick<
  WASocket,
  | 'authState'
  | 'end'
  | 'ev'
  | 'generateMessageTag'
  | 'issuePrivacyTokens'
  | 'query'
  | 'refreshMediaConn'
  | 'sendNode'
  | 'serverProps'
  | 'signalRepository'
  | 'user'
  | 'userDevicesCache'
  | 'ws'
>;

/** The log of this room: words and codes only. */
export interface SendingLog {
  /** For problems that the gateway solves by itself. */
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
