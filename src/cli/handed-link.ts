import { type Brand, Brands, brandedMail, ownAddress } from '../branding/index.ts';
import type { Config } from '../config/index.ts';
import { createLanguages, type Translate } from '../language/index.ts';
import { knownLanguage, type MailText } from '../people/index.ts';
import type { Store } from '../store/index.ts';
import type { Run } from './environment.ts';
import { serverAddress } from './own-server.ts';

/** Where browsers reach the portal: at the provider's own address, else at the gateway's. Throws OperatorError when the settings do not name one. */
export function portalAddress(config: Config, brand: Brand | null): string {
  return ownAddress(brand) ?? config.publicUrl ?? serverAddress(config);
}

export function brandsOf(run: Run, store: Store): Brands {
  return new Brands({ store, clock: run.environment.clock });
}

/** Sends a mail where there is a mail server; whether it took it. */
export async function send(run: Run, config: Config, to: string, mail: MailText, brand: Brand | null): Promise<boolean> {
  return (await run.environment.openMail(config)?.send(to, brandedMail(mail, brand))) ?? false;
}

/** Gives the texts of a mail to somebody, in their language where it is known, and in English when the store goes away: the link has been stored. */
export async function spokenTo(store: Store, email: string): Promise<Translate> {
  return createLanguages()((await knownLanguage(store.db, email)) ?? 'en').t;
}
