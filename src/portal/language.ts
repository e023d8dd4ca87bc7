import type { FastifyRequest } from 'fastify';
import { acceptedLanguage, type Translate } from '../language/index.ts';
import type { PortalOptions } from './portal-options.ts';

/** Says texts in the language that the pages are in, which they send along. */
export function spoken({ languages }: Pick<PortalOptions, 'languages'>, { headers }: Pick<FastifyRequest, 'headers'>): Translate {
  return languages(acceptedLanguage(headers['accept-language']) ?? 'en').t;
}
