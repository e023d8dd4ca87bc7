import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { type Log, newId, StoreUnavailable, type Vault } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import { secretsOf } from './secrets.ts';
import { credentialTable, sessionTable, twoFactorTables, userTable, verificationTable } from './tables.ts';

const dayS = 24 * 60 * 60;
/** Longer than a TOTP code is accepted: its own 30 seconds, and those before and after. */
const totpCodeMs = 120_000;

export interface LibraryOptions {
  /** The header that gives better-auth the client's address. */
  readonly addressHeader: string;
  readonly store: Store;
  readonly vault: Vault;
  /** Whether the browsers it is for reach the portal by https: the names and flags of its cookies. */
  readonly secure: boolean;
  readonly log: Pick<Log, 'error'>;
  /** Is called with a failure of the store that better-auth would log and answer as something else, such as a missing session. */
  readonly onStoreFailure: (failure: StoreUnavailable) => void;
  /** How passwords are kept; default better-auth's scrypt, which takes 60 ms of the processor for each. */
  readonly passwords?: Passwords | undefined;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  verify(stored: { readonly hash: string; readonly password: string }): Promise<boolean>;
}

/** better-auth on our database: sessions, passwords, two-factor. Takes a third of a second to load, so only the portal's first visitor does. */
export function createLibrary({ addressHeader, store, vault, secure, log, onStoreFailure, passwords }: LibraryOptions) {
  return betterAuth({
    appName: 'Messaging Gateway',
    basePath: '/',
    ...secretsOf(vault),
    database: { db: store.db, type: store.dialect, transaction: false },
    user: userTable,
    account: credentialTable,
    verification: verificationTable,
    session: { ...sessionTable, expiresIn: 7 * dayS, disableSessionRefresh: true, freshAge: 0 },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: 10,
      maxPasswordLength: 128,
      ...(passwords === undefined ? {} : { password: passwords }),
    },
    // The portal counts tries itself (attempts.ts).
    rateLimit: { enabled: false },
    databaseHooks: {
      session: {
        create: {
          async before({ userId }, context) {
            // A right code has led to this session, or has just turned two-factor on. It must not lead to a second one (RFC 6238 §5.2).
            if (context?.path !== '/two-factor/verify-totp') return;
            const identifier = `totp-code-${userId}-${context.body.code}`;
            const expiresAt = new Date(Date.now() + totpCodeMs);
            const isFirst = await context.context.internalAdapter.reserveVerificationValue({ identifier, value: userId, expiresAt });
            if (!isFirst) throw new APIError('UNAUTHORIZED', { code: 'TOTP_CODE_USED', message: 'The code has already been used.' });
          },
        },
      },
    },
    plugins: [twoFactor({ issuer: 'Messaging Gateway', schema: twoFactorTables })],
    advanced: {
      cookiePrefix: 'gateway',
      useSecureCookies: secure,
      // Pages of other sites never get it sent, not even by a link; our own pages ask for everything themselves.
      defaultCookieAttributes: { sameSite: 'strict', httpOnly: true, path: '/' },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: () => newId() },
      // Checked before anything of the portal runs (portal/origin.ts), for better-auth's endpoints and ours alike.
      disableOriginCheck: true,
      disableCSRFCheck: true,
    },
    telemetry: { enabled: false },
    logger: {
      level: 'error',
      log(_level, message, ...rest) {
        const error = rest.find((item) => item instanceof Error);
        if (error instanceof StoreUnavailable) return onStoreFailure(error);
        // Of an error only where it happened: its other fields may hold what somebody typed.
        log.error({ from: 'better-auth', ...(error === undefined ? {} : { stack: error.stack }) }, message);
      },
    },
    // What is no answer of its own reaches us (sign-in.ts). Otherwise it would be printed past the log, and answered with an empty 500.
    onAPIError: { throw: true },
  });
}

export type Library = ReturnType<typeof createLibrary>;
