import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type AccountNote, checkNote, noteOf, writeNote } from '../../../accounts/index.ts';
import { succeed } from '../../../http/index.ts';
import { checkedText } from '../../fields.ts';
import { actOf, administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { accountInReach } from '../../reach.ts';
import { iso } from '../../times.ts';
import type { AccountNoteView } from '../../wire/index.ts';

const note = z.object({ text: checkedText(checkNote, 'must be plain text', 20_000) });

interface OfAccount {
  Params: { id: string };
}

/** GET and PUT /portal/api/operator/accounts/{id}/note: for those who administer the account; its own people never see it. */
export function accountNoteRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = administers(options, { providerAdmins: true });
  const path = '/portal/api/operator/accounts/:id/note';

  server.get<OfAccount>(path, { onRequest }, async (request, reply) => {
    const { id } = await accountInReach(options, request, request.params.id);
    return succeed(request, reply, noteView(await noteOf(store, id)));
  });

  server.put<OfAccount & { Body: z.output<typeof note> }>(path, { schema: { body: note }, onRequest }, async (request, reply) => {
    const { id } = await accountInReach(options, request, request.params.id);
    return succeed(request, reply, noteView(await writeNote(store, id, request.body.text, actOf(request, clock.now()))));
  });
}

function noteView(note: AccountNote | null): AccountNoteView {
  if (note === null) return { text: '', written_at: null, written_by: null };
  return { text: note.text, written_at: iso(note.writtenAt), written_by: note.writtenBy };
}
