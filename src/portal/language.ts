import type { FastifyRequest } from 'fastify';
import { acceptedLanguage, type Texts, type Translate } from '../language/index.ts';
import { knownLanguage } from '../people/index.ts';
import type { PortalOptions } from './portal-options.ts';

type Asked = Pick<FastifyRequest, 'headers'>;

/** The texts of the language that the pages are in, which they send along. */
export function textsFor({ languages }: Pick<PortalOptions, 'languages'>, { headers }: Asked): Texts {
  return languages(acceptedLanguage(headers['accept-language']) ?? 'en');
}

export function spoken(options: Pick<PortalOptions, 'languages'>, request: Asked): Translate {
  return textsFor(options, request).t;
}

/**
 * The same for a mail to somebody: in their language where it is known, else in that of the pages from which it is sent; so too when the store goes
 * away, since what the mail is about has been stored.
 */
export async function spokenTo(options: Pick<PortalOptions, 'languages' | 'store'>, request: Asked, email: string): Promise<Translate> {
  const language = await knownLanguage(options.store.db, email);
  return language === null ? spoken(options, request) : options.languages(language).t;
}
