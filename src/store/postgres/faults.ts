import pg from 'pg';

// SQLSTATE classes of errors that the data of a single call may cause: cardinality, data, integrity, rollback (deadlock), a limit.
const dataClasses = new Set(['21', '22', '23', '40', '54']);

/** Whether an error may come from one element of a batch. A dead or overloaded server fails all of them alike. */
export function isOneCallsFault(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof pg.DatabaseError && dataClasses.has(error.code?.slice(0, 2) ?? ''));
}

/** Whether the same work may succeed when it is simply done again: a serialization failure or a deadlock. */
export function isTransient(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01');
}

/** Whether a statement waited longer than `lock_timeout` for a table. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}

// A statement that took too long or that an operator ended, and a transaction that had none for too long.
const givenUp = new Set(['57014', '25P03']);

/** Whether the server gave up this one statement or transaction, and works on. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof pg.DatabaseError && givenUp.has(error.code ?? '');
}

/** Whether no connection of a pool became free in time. The library says so in these words alone. */
export function isPoolFull(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

// SQLSTATE classes of a server that cannot work: no connection, no resources (a full disk), stopped or stopping, an error of its system.
const serverClasses = new Set(['08', '53', '57', '58']);

/** Whether a write was refused because the session can only read, as on a standby. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25006';
}

/** Whether an error means that the database cannot be used right now. An error that does not come from the server comes from the connection. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return serverClasses.has(error.code?.slice(0, 2) ?? '') || isGivenUp(error) || isReadOnly(error);
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError);
}
