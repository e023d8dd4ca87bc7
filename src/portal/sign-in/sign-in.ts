import type { Clock } from '../../core/index.ts';
import type { Library, LibraryOptions } from './better-auth.ts';

/** A signed-in person. */
export interface Person {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly twoFactor: boolean;
  readonly sessionId: string;
}

/** A call that is passed on to better-auth. */
export interface PassedOn {
  readonly method: 'GET' | 'POST';
  /** Of better-auth, such as /sign-in/email. */
  readonly path: string;
  readonly body?: unknown;
  readonly cookie: string | undefined;
  readonly userAgent: string | undefined;
  /** The client's address. */
  readonly address: string;
}

/** Everything the portal wants of its sign-in library. */
export interface SignIn {
  /** Passes a call on; the answer is better-auth's own, cookies included. */
  pass(call: PassedOn): Promise<Response>;
  /** Who these cookies belong to; null for an unknown, expired or signed-out session. Looked up on every call, nothing is cached. */
  person(cookie: string): Promise<Person | null>;
  /** Makes a person who signs in with a password; their id. The address must be free. */
  createUser(user: { email: string; name: string; password: string }): Promise<string>;
  /** Sets a new password and signs the person out everywhere. */
  setPassword(userId: string, password: string): Promise<void>;
  /** The person's live sessions. */
  sessions(userId: string): Promise<SessionRecord[]>;
  /** Ends one of the person's sessions; false when they have no such session. */
  endSession(userId: string, sessionId: string): Promise<boolean>;
  /** Ends all of the person's sessions. */
  endSessions(userId: string): Promise<void>;
}

interface SessionRecord {
  readonly id: string;
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The header in which better-auth is told who asks. */
export const addressHeader = 'x-gateway-client-address';

interface SignInOptions extends Omit<LibraryOptions, 'addressHeader'> {
  readonly clock: Clock;
}

/** The password rules, said once. */
export const passwordLength = { min: 10, max: 128 } as const;

/** A Cookie header that may hold a session; without one nobody needs to be asked. */
export function holdsSession(cookie: string | undefined): cookie is string {
  return cookie !== undefined && /(?:^|;\s*)(?:__Secure-)?gateway\.session_token=/.test(cookie);
}

/** The sign-in over better-auth, which is loaded when it is first needed. */
export function createSignIn({ clock, ...options }: SignInOptions): SignIn {
  let loading: Promise<Library> | null = null;
  const library = (): Promise<Library> => {
    loading ??= import('./better-auth.ts').then(({ createLibrary }) => createLibrary({ ...options, addressHeader }));
    // A failure is not kept: the next visitor tries again.
    loading.catch(() => {
      loading = null;
    });
    return loading;
  };
  const context = async () => (await library()).$context;
  const live = async (userId: string) => {
    const now = clock.now();
    return (await (await context()).internalAdapter.listSessions(userId)).filter((session) => new Date(session.expiresAt).getTime() > now);
  };

  return {
    async pass({ method, path, body, cookie, userAgent, address }) {
      const headers = new Headers({ [addressHeader]: address });
      if (cookie !== undefined) headers.set('cookie', cookie);
      if (userAgent !== undefined) headers.set('user-agent', userAgent.slice(0, 300));
      if (body !== undefined) headers.set('content-type', 'application/json');
      // The host stands for nothing: better-auth is asked for its paths alone.
      const url = `http://portal.invalid${path}`;
      return (await library()).handler(
        new Request(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
      );
    },
    async person(cookie) {
      const found = await (await library()).api.getSession({ headers: new Headers({ cookie }), query: { disableRefresh: true } });
      if (found === null) return null;
      const { user, session } = found;
      return { userId: user.id, email: user.email, name: user.name, twoFactor: user.twoFactorEnabled === true, sessionId: session.id };
    },
    async createUser({ email, name, password }) {
      const { internalAdapter, password: passwords } = await context();
      const hash = await passwords.hash(password);
      const user = await internalAdapter.createUser({ email, name, emailVerified: true }, { method: 'email-password' });
      try {
        await internalAdapter.linkAccount({ userId: user.id, providerId: 'credential', accountId: user.id, password: hash });
      } catch (error) {
        // Without its password the address would be taken by somebody who can never sign in.
        await internalAdapter.deleteUser(user.id);
        throw error;
      }
      return user.id;
    },
    async setPassword(userId, password) {
      const { internalAdapter, password: passwords } = await context();
      await internalAdapter.updatePassword(userId, await passwords.hash(password));
      await internalAdapter.deleteUserSessions(userId);
    },
    sessions: async (userId) =>
      (await live(userId)).map(({ id, userAgent, ipAddress, createdAt, updatedAt }) => ({
        id,
        userAgent: userAgent ?? null,
        address: ipAddress ?? null,
        createdAt: new Date(createdAt),
        updatedAt: new Date(updatedAt),
      })),
    async endSession(userId, sessionId) {
      const session = (await live(userId)).find(({ id }) => id === sessionId);
      if (session === undefined) return false;
      await (await context()).internalAdapter.deleteSession(session.token);
      return true;
    },
    async endSessions(userId) {
      await (await context()).internalAdapter.deleteUserSessions(userId);
    },
  };
}
