import type { AuthenticationCreds, WASocket } from 'baileys';
import { accountFacts, changeFacts } from '../account-facts.ts';
import type { ValueLocation } from './mutations.ts';

/** A value in the account's app state that is followed there. */
export interface AppStateValue extends ValueLocation {
  /** What the log calls it. */
  readonly name: string;
  /** The collection of the app state that holds it. */
  readonly collection: string;
  /** The version of the collection up to which it was read; 0 if never. */
  version(creds: AuthenticationCreds): number;
  /** Stores what was read. `value`: null if it was removed, undefined if it has not changed. */
  store(sock: Pick<WASocket, 'ev' | 'authState'>, value: Uint8Array | null | undefined, version: number): void;
}

/** The key of cstokens. Sources of index and fields: whatsmeow appstate/keys.go. */
export const nctSalt: AppStateValue = {
  name: 'the nct salt',
  collection: 'regular_high',
  index: 'nct_salt_sync',
  // nctSaltSyncAction › salt, which the library's own schema does not know.
  field: 80,
  version: (creds) => accountFacts(creds).settingsVersion,
  store: (sock, salt, settingsVersion) => changeFacts(sock, { ...(salt === undefined ? {} : { salt }), settingsVersion }),
};

/** The name that recipients see when they do not know the number. */
export const ownName: AppStateValue = {
  name: 'the name of a number',
  collection: 'critical_block',
  index: 'setting_pushName',
  // pushNameSetting › name.
  field: 7,
  version: (creds) => accountFacts(creds).nameVersion,
  store(sock, value, nameVersion) {
    const { me } = sock.authState.creds;
    const name = value ? Buffer.from(value).toString('utf8') : '';
    if (name !== '' && me !== undefined && me.name !== name) sock.ev.emit('creds.update', { me: { ...me, name } });
    changeFacts(sock, { nameVersion });
  },
};
