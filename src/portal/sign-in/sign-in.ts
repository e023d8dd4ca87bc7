import { AsyncLocalStorage } from 'node:async_hooks';
import { StoreUnavailable } from '../../core/index.ts';
import type { Library, LibraryOptions } from './better-auth.ts';

export interface Person {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly twoFactor: boolean;
  readonly sessionId: string;
  /** When the session is known to have been in use. */
  readonly seenAt: number;
}

export interface PassedOn {
  /** Of better-auth, such as /sign-in/email. */
  readonly path: string;
  readonly body: object;
  readonly browser: BrowserSide;
  readonly userAgent: string | undefined;
  /** The client's address. */
  readonly address: string;
}

/** What identifies a browser. */
export interface BrowserSide {
  readonly cookie: string | undefined;
  /** Whether it came by https, here or at a trusted proxy: then its cookies are `Secure`. */
  readonly https: boolean;
}

/** Everything the portal needs from its sign-in library. */
export interface SignIn {
  /** Passes a call on; the answer is better-auth's own, cookies included. Throws StoreUnavailable. */
  pass(call: PassedOn): Promise<Response>;
  /** Who these cookies belong to; null for an unknown, expired or signed-out session. Looked up on every call, nothing is cached. */
  person(browser: BrowserSide): Promise<Person | null>;
  /** The person who gave the right password in this browser and must now enter a two-factor code; null when there is none. */
  challenged(browser: BrowserSide): Promise<{ readonly userId: string; readonly email: string } | null>;
  /** The password as better-auth keeps it. */
  hash(password: string): Promise<string>;
  sessions(userId: string): Promise<readonly PortalSessionRecord[]>;
  /** Ends one of the person's sessions; false when they have no such session. */
  endSession(userId: string, sessionId: string): Promise<boolean>;
}

export interface PortalSessionRecord {
  readonly id: string;
  readonly userAgent?: string | null | undefined;
  readonly ipAddress?: string | null | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The header that gives better-auth the client's address. */
export const addressHeader = 'x-gateway-client-address';

export const passwordLength = { min: 10, max: 128 } as const;

/** A Cookie header that may hold a session; without one nobody needs to be asked. */
export function holdsSession(cookie: string | undefined): cookie is string {
  return cookie !== undefined && /(?:^|;\s*)(?:__Secure-)?gateway\.session_token=/.test(cookie);
}

/** The sign-in over better-auth, which is loaded when it is first needed. `secure`: browsers reach the portal by https, however they come in. */
export function createSignIn({ secure, ...options }: Omit<LibraryOptions, 'addressHeader' | 'onStoreFailure'>): SignIn {
  const calls = new AsyncLocalStorage<{ storeFailure: StoreUnavailable | null }>();
  const onStoreFailure = (failure: StoreUnavailable) => {
    const call = calls.getStore();
    if (call !== undefined) call.storeFailure = failure;
  };
  // One for each kind of cookies, since a library has one kind; most installations ever need one.
  const loading = new Map<boolean, Promise<Library>>();
  let madeWith = options.vault.current;
  const loaded = () => {
    // What a library signs and encrypts with is given to it once.
    if (madeWith !== options.vault.current) loading.clear();
    madeWith = options.vault.current;
    return loading;
  };
  const library = (https: boolean): Promise<Library> => {
    const wanted = secure || https;
    const known = loaded().get(wanted);
    if (known !== undefined) return known;
    const made = import('./better-auth.ts').then(({ createLibrary }) =>
      createLibrary({ ...options, secure: wanted, addressHeader, onStoreFailure }),
    );
    loading.set(wanted, made);
    // A failure is not kept: the next visitor tries again.
    made.catch(() => loading.delete(wanted));
    return made;
  };
  // Any of them will do for calls without cookies.
  const context = async () => (await (loaded().values().next().value ?? library(secure))).$context;
  const live = async (userId: string) => (await context()).internalAdapter.listSessions(userId, { onlyActiveSessions: true });

  return {
    async pass({ path, body, browser, userAgent, address }) {
      const headers = new Headers({ [addressHeader]: address });
      if (browser.cookie !== undefined) headers.set('cookie', browser.cookie);
      if (userAgent !== undefined) headers.set('user-agent', userAgent.slice(0, 300));
      headers.set('content-type', 'application/json');
      // The host has no meaning: better-auth looks at the path alone.
      const url = `http://portal.invalid${path}`;
      const { handler } = await library(browser.https);
      const call: { storeFailure: StoreUnavailable | null } = { storeFailure: null };
      const passedOn = new Request(url, { method: 'POST', headers, body: JSON.stringify(body) });
      const answered = await calls
        .run(call, () => handler(passedOn))
        .catch((error: unknown) => {
          throw bare(error);
        });
      if (call.storeFailure !== null) throw call.storeFailure;
      return answered;
    },
    async person({ cookie, https }) {
      if (!holdsSession(cookie)) return null;
      const { api } = await library(https);
      const found = await api.getSession({ headers: new Headers({ cookie }) }).catch((error: unknown) => {
        throw error instanceof Error && error.cause instanceof StoreUnavailable ? error.cause : error;
      });
      if (found === null) return null;
      const { user, session } = found;
      return {
        userId: user.id,
        email: user.email,
        name: user.name,
        twoFactor: user.twoFactorEnabled === true,
        sessionId: session.id,
        seenAt: session.updatedAt.getTime(),
      };
    },
    async challenged({ cookie }) {
      // Random enough that knowing it is proof; its signature comes after the dot.
      const [, value = ''] = /(?:^|;\s*)(?:__Secure-)?gateway\.two_factor=([^;.]{1,100})/.exec(cookie ?? '') ?? [];
      if (!/^2fa-[\w-]+$/.test(value)) return null;
      const { internalAdapter } = await context();
      const challenge = await internalAdapter.findVerificationValue(value);
      const user = challenge === null ? null : await internalAdapter.findUserById(challenge.value);
      return user === null ? null : { userId: user.id, email: user.email };
    },
    hash: async (password) => (await context()).password.hash(password),
    sessions: live,
    async endSession(userId, sessionId) {
      const session = (await live(userId)).find(({ id }) => id === sessionId);
      if (session === undefined) return false;
      await (await context()).internalAdapter.deleteSession(session.token);
      return true;
    },
  };
}

/** An error of better-auth without its other fields, which may hold what somebody typed. */
function bare(error: unknown): unknown {
  if (error instanceof StoreUnavailable || !(error instanceof Error)) return error;
  return Object.assign(new Error(error.message), { stack: error.stack });
}
