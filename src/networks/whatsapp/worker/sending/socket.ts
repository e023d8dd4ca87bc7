import type { WASocket } from 'baileys';
import type { Log } from '../../../../core/index.ts';

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
export type SendingLog = Pick<Log, 'warn' | 'error'>;
