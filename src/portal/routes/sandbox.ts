import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { succeed, succeedWithList } from '../../http/index.ts';
import type { SandboxPhones as Phones, SandboxFileView, SandboxChatMessage as StoredMessage } from '../../networks/index.ts';
import { actingFor, actsForAccount } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { iso } from '../times.ts';
import type { SandboxChatMessage, SandboxContact, SandboxFile, SandboxPhones } from '../wire/index.ts';

const contact = z.object({ digits: z.string().regex(/^[1-9]\d{5,14}$/, { error: 'must be 6 to 15 digits' }) });

/** GET /portal/api/sandbox/contacts, /chats/{digits} and /phones: the sandbox's people and what they received. */
export function sandboxRoutes(server: FastifyInstance, options: PortalOptions, phones: Phones): void {
  const onRequest = actsForAccount(options);

  server.get('/portal/api/sandbox/contacts', { onRequest }, async (request, reply) => {
    const contacts: SandboxContact[] = (await phones.contacts(actingFor(request).accountId)).map((known) => ({
      number: known.phone_number,
      messages: known.message_count,
      last: messageView(known.last_message),
    }));
    return succeedWithList(request, reply, 'contacts', { items: contacts, view: (contact) => contact });
  });

  server.get<{ Params: z.output<typeof contact> }>(
    '/portal/api/sandbox/chats/:digits',
    { schema: { params: contact }, onRequest },
    async (request, reply) => {
      const messages = await phones.chat(actingFor(request).accountId, request.params.digits);
      return succeedWithList(request, reply, 'messages', { items: messages, view: messageView });
    },
  );

  server.get('/portal/api/sandbox/phones', { onRequest }, async (request, reply) => {
    const { accountId } = actingFor(request);
    const [linked, open] = await Promise.all([phones.linkedPhones(accountId), phones.openCodes(accountId)]);
    const view: SandboxPhones = {
      phones: linked.map(({ phoneNumber, instanceId, linkedAt }) => ({
        phone_number: phoneNumber,
        instance_id: instanceId,
        linked_at: iso(linkedAt),
      })),
      open_codes: open.map(({ instanceId, code, expiresAt }) => ({ instance_id: instanceId, code, expires_at: iso(expiresAt) })),
    };
    return succeed(request, reply, view);
  });
}

function messageView({ file, ...message }: StoredMessage): SandboxChatMessage {
  return { ...message, file: file === null ? null : fileView(file, message.type) };
}

function fileView(file: SandboxFileView, type: StoredMessage['type']): SandboxFile {
  // A picture that can be shown itself needs none; a chat may have a thousand of them.
  const isPicture = type === 'image' || type === 'sticker';
  return {
    available: file.available,
    width: file.width ?? null,
    height: file.height ?? null,
    duration_seconds: file.duration_seconds ?? null,
    waveform: file.waveform ?? null,
    page_count: file.page_count ?? null,
    thumbnail: isPicture && file.available ? null : (file.thumbnail ?? null),
  };
}
