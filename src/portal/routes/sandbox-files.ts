import type { FastifyInstance } from 'fastify';
import { GatewayError } from '../../core/index.ts';
import type { SandboxPhones } from '../../networks/index.ts';
import { accountFromQuery } from '../account-from-query.ts';
import { rangeOf } from '../byte-range.ts';
import { actingFor, actsForAccount } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';

/** What a browser may show by itself. Never what can hold scripts, such as SVG or HTML: the sender says what a file is. */
const shown: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'audio/aac',
  'audio/amr',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'video/3gpp',
  'video/mp4',
  'video/ogg',
  'video/quicktime',
  'video/webm',
]);

/** GET /portal/api/sandbox/files/{sha256}: a file as a contact received it. */
export function sandboxFilesRoute(server: FastifyInstance, options: PortalOptions, phones: SandboxPhones): void {
  server.get<{ Params: { sha256: string } }>(
    '/portal/api/sandbox/files/:sha256',
    { onRequest: [accountFromQuery, actsForAccount(options)] },
    async (request, reply) => {
      const { sha256 } = request.params;
      const file = /^[0-9a-f]{64}$/.test(sha256) ? await phones.file(actingFor(request).accountId, sha256) : null;
      if (file === null) throw new GatewayError('not_found', 'No such file is kept.');
      const [type = ''] = file.mimeType.toLowerCase().split(';');
      const isShown = shown.has(type.trim());
      reply
        .type(isShown ? type.trim() : 'application/octet-stream')
        .header('content-disposition', isShown ? 'inline' : 'attachment')
        // It was sent by anybody: it runs nothing, and no other page embeds it.
        .header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
        .header('x-content-type-options', 'nosniff')
        .header('cross-origin-resource-policy', 'same-origin')
        .header('cache-control', 'private, max-age=3600')
        .header('accept-ranges', 'bytes');
      const { bytes } = file;
      const range = rangeOf(request.headers.range, bytes.length);
      if (range === null) return reply.send(bytes);
      if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${bytes.length}`).send();
      const { first, last } = range;
      return reply
        .code(206)
        .header('content-range', `bytes ${first}-${last}/${bytes.length}`)
        .send(bytes.subarray(first, last + 1));
    },
  );
}
