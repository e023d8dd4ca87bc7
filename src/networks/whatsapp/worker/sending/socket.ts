import type { WASocket } from 'baileys';

/** What sending uses of a Baileys socket. */
export type SendingSocket = Pick<
  WASocket,
  | 'assertSessions'
  | 'authState'
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

/** Where this room says what went wrong: words and codes only. */
export interface SendingLog {
  /** What the gateway goes on from by itself. */
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
