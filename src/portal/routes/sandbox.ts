import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { GatewayError, iso } from '../../core/index.ts';
import { succeedWithList } from '../../http/index.ts';
import type { SandboxChatMessage, SandboxContact, SandboxFileView, SandboxPhones } from '../../networks/index.ts';
import { rangeOf } from '../byte-range.ts';
import { endpoint } from '../endpoint.ts';
import { accountFromQuery, actingFor, actsForAccount } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';

const contact = z.object({ digits: z.string().regex(/^[1-9]\d{5,14}$/, { error: 'must be 6 to 15 digits' }) });

/** What a browser may show by itself. Never what can hold scripts, such as SVG or HTML: a file's type is the sender's word. */
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

/** The sandbox's people, what they received, and its phones. */
export function sandboxRoutes(server: FastifyInstance, options: PortalOptions, phones: SandboxPhones): void {
  const onRequest = actsForAccount(options);

  endpoint(server, 'GET /portal/api/sandbox/contacts', { onRequest }, async (request, reply) => {
    const contacts = await phones.contacts(actingFor(request).accountId);
    return succeedWithList(request, reply, 'contacts', { items: contacts, view: contactView });
  });

  server.get<{ Params: z.output<typeof contact> }>(
    '/portal/api/sandbox/chats/:digits',
    { schema: { params: contact }, onRequest },
    async (request, reply) => {
      const messages = await phones.chat(actingFor(request).accountId, request.params.digits);
      return succeedWithList(request, reply, 'messages', { items: messages, view: messageView });
    },
  );

  endpoint(server, 'GET /portal/api/sandbox/phones', { onRequest }, (request) => phonesView(phones, actingFor(request).accountId));

  // A file as a contact received it.
  const ofFile = { onRequest: [accountFromQuery, onRequest] };
  endpoint(server, 'GET /portal/api/sandbox/files/:sha256', ofFile, async (request, reply) => {
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
  });
}

export function contactView({ phone_number, message_count, last_message }: SandboxContact) {
  return { number: phone_number, messages: message_count, last: messageView(last_message) };
}

export async function phonesView(phones: SandboxPhones, accountId: string) {
  const [linked, open] = await Promise.all([phones.linkedPhones(accountId), phones.openCodes(accountId)]);
  return {
    phones: linked.map(({ phoneNumber, instanceId, linkedAt }) => ({
      phone_number: phoneNumber,
      instance_id: instanceId,
      linked_at: iso(linkedAt),
    })),
    open_codes: open.map(({ instanceId, code, expiresAt }) => ({ instance_id: instanceId, code, expires_at: iso(expiresAt) })),
  };
}

export function messageView({ file, ...message }: SandboxChatMessage) {
  return { ...message, file: file === null ? null : fileView(file, message.type) };
}

export function fileView(file: SandboxFileView, type: SandboxChatMessage['type']) {
  // A picture that can be shown itself needs none; a chat may have a thousand of them.
  const isPicture = type === 'image' || type === 'sticker';
  return {
    available: file.available,
    width: file.width ?? null,
    height: file.height ?? null,
    duration_seconds: file.duration_seconds ?? null,
    waveform: file.waveform ?? null,
    thumbnail: isPicture && file.available ? null : (file.thumbnail ?? null),
  };
}
