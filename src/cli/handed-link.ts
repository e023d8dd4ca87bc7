import { showAccount } from '../accounts/index.ts';
import { type Brand, Brands, brandedMail, ownAddress } from '../branding/index.ts';
import type { Config } from '../config/index.ts';
import { createLanguages, type Translate } from '../language/index.ts';
import type { MailText, Place } from '../people/index.ts';
import { languageAt } from '../people/index.ts';
import type { Store } from '../store/index.ts';
import type { Run } from './environment.ts';
import { serverAddress } from './own-server.ts';

/** Where browsers reach the portal: at the provider's own address, else at the gateway's. Throws OperatorError when the settings do not say. */
export function portalAddress(config: Config, brand: Brand | null): string {
  return ownAddress(brand) ?? config.publicUrl ?? serverAddress(config);
}

/** The brand of where a role is held. */
export async function brandOfPlace(run: Run, store: Store, { accountId, providerId }: Omit<Place, 'role'>): Promise<Brand | null> {
  const provider = accountId === null ? providerId : (await showAccount(store, accountId)).provider_id;
  return provider === null ? null : brandsOf(run, store).ofProvider(provider);
}

export function brandsOf(run: Run, store: Store): Brands {
  return new Brands({ store, clock: run.environment.clock });
}

/** Sends a mail where there is a mail server; whether it took it. */
export async function send(run: Run, config: Config, to: string, mail: MailText, brand: Brand | null): Promise<boolean> {
  return (await run.environment.openMail(config)?.send(to, brandedMail(mail, brand))) ?? false;
}

/** Says what a mail to somebody says, in their language where it is known. */
export async function spokenTo(store: Store, email: string): Promise<Translate> {
  return createLanguages()((await languageAt(store.db, email)) ?? 'en').t;
}
