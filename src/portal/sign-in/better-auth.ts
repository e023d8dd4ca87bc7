import { betterAuth } from 'better-auth';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { newId, type Vault } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import { credentialTable, sessionTable, signInLimitTable, twoFactorTables, userTable, verificationTable } from './tables.ts';

const dayS = 24 * 60 * 60;

export interface LibraryOptions {
  /** The header in which better-auth is told who asks. */
  readonly addressHeader: string;
  readonly store: Store;
  readonly vault: Vault;
  /** Whether browsers reach the portal by https. */
  readonly secure: boolean;
  readonly log: { error(fields: object, message: string): void };
  /** How passwords are kept; default better-auth's scrypt, which takes 60 ms of the processor for each. */
  readonly passwords?: Passwords | undefined;
}

export interface Passwords {
  /** What is stored of a password. */
  hash(password: string): Promise<string>;
  verify(stored: { readonly hash: string; readonly password: string }): Promise<boolean>;
}

/** better-auth on our database: sessions, passwords, two-factor, throttling of attempts. Takes a third of a second to load, so only the portal's first visitor does. */
export function createLibrary({ addressHeader, store, vault, secure, log, passwords }: LibraryOptions) {
  return betterAuth({
    appName: 'Messaging Gateway',
    basePath: '/',
    secret: vault.derive('portal sign-in').toString('base64url'),
    database: { db: store.db, type: store.dialect, transaction: false },
    user: userTable,
    account: credentialTable,
    verification: verificationTable,
    session: { ...sessionTable, expiresIn: 7 * dayS, updateAge: dayS, freshAge: 0 },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: 10,
      maxPasswordLength: 128,
      ...(passwords === undefined ? {} : { password: passwords }),
    },
    rateLimit: {
      ...signInLimitTable,
      enabled: true,
      storage: 'database',
      window: 60,
      max: 100,
      customRules: {
        '/sign-in/email': { window: 60, max: 10 },
        '/two-factor/*': { window: 60, max: 10 },
        '/change-password': { window: 60, max: 10 },
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
        // Of an error only what says where it happened: its other fields may hold what somebody typed.
        log.error({ from: 'better-auth', ...(error === undefined ? {} : { stack: error.stack }) }, message);
      },
    },
    onAPIError: { throw: false },
  });
}

export type Library = ReturnType<typeof createLibrary>;
