import { S_WHATSAPP_NET, type WASocket } from 'baileys';

const pingMs = 5_000;
const logoutMs = 10_000;

/** Whether the network answers in time, usually within five seconds. */
export async function ping(sock: Pick<WASocket, 'query'>, withinMs = pingMs): Promise<boolean> {
  try {
    const attrs = { to: S_WHATSAPP_NET, type: 'get', xmlns: 'w:p' };
    const answer: unknown = await sock.query({ tag: 'iq', attrs, content: [{ tag: 'ping', attrs: {} }] }, withinMs);
    return answer !== undefined;
  } catch {
    return false;
  }
}

/** Asks the network to remove this device from the phone's linked devices. Rejects when it does not confirm within ten seconds. */
export async function removeCompanion(sock: Pick<WASocket, 'query' | 'user'>): Promise<void> {
  const attrs = { to: S_WHATSAPP_NET, type: 'set', xmlns: 'md' };
  const removal = { tag: 'remove-companion-device', attrs: { jid: sock.user?.id ?? '', reason: 'user_initiated' } };
  const answer: unknown = await sock.query({ tag: 'iq', attrs, content: [removal] }, logoutMs);
  if (answer === undefined) throw new Error('the network did not confirm the logout');
}
