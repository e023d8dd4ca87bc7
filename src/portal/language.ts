import type { FastifyRequest } from 'fastify';
import { acceptedLanguage, type Texts, type Translate } from '../language/index.ts';
import type { PortalOptions } from './portal-options.ts';

type Asked = Pick<FastifyRequest, 'headers'>;

/** The texts of the language that the pages are in, which they send along. */
export function textsFor({ languages }: Pick<PortalOptions, 'languages'>, { headers }: Asked): Texts {
  return languages(acceptedLanguage(headers['accept-language']) ?? 'en');
}

/** Says texts in that language. */
export function spoken(options: Pick<PortalOptions, 'languages'>, request: Asked): Translate {
  return textsFor(options, request).t;
}
