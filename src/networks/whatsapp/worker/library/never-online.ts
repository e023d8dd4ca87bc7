import type { BaileysEventMap, WASocket } from 'baileys';
import type { Log } from '../../../../core/index.ts';

/**
 * Keeps a linked device from appearing online, during which its phone shows no notifications of new messages. Baileys (7.0.0-rc14, socket.js) sends
 * a presence without a type, which means available, whenever the credentials change: it takes the name to be a new one if the change does not
 * mention it. So every change mentions it here, after it was made. The network learns a new name from a presence of the type `unavailable`; Baileys
 * itself sends one after each login, if the name is known by then.
 */
export function neverAppearOnline(
  { ev, authState, sendPresenceUpdate }: Pick<WASocket, 'ev' | 'authState' | 'sendPresenceUpdate'>,
  log: Pick<Log, 'warn'>,
): void {
  const { creds } = authState;
  let isOpen = false;
  // Registered last: Baileys' own presence after the login comes first.
  ev.on('connection.update', ({ connection }) => {
    if (connection !== undefined) isOpen = connection === 'open';
  });
  const emit = ev.emit.bind(ev);
  ev.emit = (event, data) => {
    if (event !== 'creds.update') return emit(event, data);
    const known = creds.me?.name;
    Object.assign(creds, data);
    const { me } = creds;
    const emitted = emit('creds.update', me === undefined ? (data as BaileysEventMap['creds.update']) : { ...data, me });
    if (isOpen && me?.name && me.name !== known) {
      sendPresenceUpdate('unavailable').catch((error: unknown) => log.warn({ err: error }, 'the name of a number could not be sent'));
    }
    return emitted;
  };
}
