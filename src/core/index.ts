export { type Clock, dayMs, hourMs, iso, isoOrNull, systemClock, type Timer, utcDay, withTimeout } from './clock.ts';
export { CannotOpen, createVault, firstKeys, type Keys, mostKeys, type Vault } from './encryption.ts';
export {
  type AnyErrorCode,
  Conflict,
  catalogue,
  type ErrorCode,
  failureCodes,
  GatewayError,
  isFailure,
  isRefusal,
  noInstance,
  OperatorError,
  OwnershipLost,
  quote,
  StoreUnavailable,
  storeUnavailable,
} from './errors.ts';
export { isIdempotencyKey } from './idempotency-key.ts';
export { hashApiKey, isUuid, newApiKey, newId, storedId } from './ids.ts';
export { type AgeTime, LastingTime } from './lasting-time.ts';
export { startLimited } from './limited-process.ts';
export { type FeedEvent, LiveFeed } from './live-feed.ts';
export type { Log } from './log.ts';
export { makeFile } from './make-file.ts';
export { makeFolder } from './make-folder.ts';
export { MemoryRelease } from './memory-release.ts';
export { moment, readMoment } from './moment.ts';
export { Mutex } from './mutex.ts';
export { isOutOfFiles, neededOpenFiles, openFileLimit, raiseOpenFileLimit, watchOpenFiles } from './open-files.ts';
export { parts } from './parts.ts';
export { Periodic } from './periodic.ts';
export { normalisePhoneNumber, stripPhoneNumber } from './phone-number.ts';
export { programFile } from './program-file.ts';
export { readProxyAddress, shownProxy } from './proxy-address.ts';
export { type RedisAddress, readRedisUrl, redisUrlRule } from './redis-url.ts';
export { Semaphore } from './semaphore.ts';
export { Signal } from './signal.ts';
export { singleFlight } from './single-flight.ts';
export { waitForSlowHandshakes } from './slow-handshakes.ts';
export { withoutFormulas } from './spreadsheet.ts';
export { newMarks, type StageMarks, type Stages, sinceStart, stageNames, stagesOf } from './stages.ts';
