import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { succeed } from '../../http/index.ts';
import { languages } from '../../language/index.ts';
import { chooseLanguage } from '../../people/index.ts';
import { signedIn } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';

const chosen = z.object({ language: z.enum(languages, { error: `must be one of ${languages.join(', ')}, or null` }).nullable() });

/** PUT /portal/api/language: the language of the signed-in person's pages and mails; null: the browser's again. */
export function languageRoute(server: FastifyInstance, options: PortalOptions): void {
  server.put<{ Body: z.output<typeof chosen> }>(
    '/portal/api/language',
    { schema: { body: chosen }, onRequest: signedIn(options) },
    async (request, reply) => {
      const { language } = request.body;
      await chooseLanguage(options.store.db, request.visitor.userId, language);
      return succeed(request, reply, { language });
    },
  );
}
