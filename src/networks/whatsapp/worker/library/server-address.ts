import { type BinaryNode, S_WHATSAPP_NET, type WASocket } from 'baileys';

/** WhatsApp's server when it is written without the empty user before it. */
const bare = S_WHATSAPP_NET.slice(1);

/**
 * Gives stanzas of WhatsApp's server one form of its address. The protocol has two, and Baileys compares with the other one, so that it would take a
 * notification of the server for one of a person.
 */
export function knowBareServer(ws: Pick<WASocket['ws'], 'prependListener'>): void {
  // Told before every other event of a stanza.
  ws.prependListener('frame', (frame: BinaryNode | Uint8Array) => {
    if (!(frame instanceof Uint8Array) && frame.attrs.from === bare) frame.attrs.from = S_WHATSAPP_NET;
  });
}
