import { S_WHATSAPP_NET, type WASocket } from 'baileys';

const pingMs = 5_000;
const logoutMs = 10_000;
const pairingCodeMs = 5_000;

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

/** A code to type on the phone with this number (digits). Rejects when the network refuses to link that number by a code. */
export async function requestPairingCode(sock: Pick<WASocket, 'requestPairingCode' | 'ws'>, phoneNumber: string): Promise<string> {
  const { promise: heard, resolve, reject } = Promise.withResolvers<void>();
  const refused = () => reject(new Error('the network refused a pairing code for this number'));
  // Baileys sends the request under an id that it does not reveal and does not wait for the answer.
  sock.ws.once('CB:iq,type:error', refused);
  sock.ws.once('CB:iq,type:result,link_code_companion_reg', resolve);
  const timer = setTimeout(resolve, pairingCodeMs);
  try {
    const [code] = await Promise.all([sock.requestPairingCode(phoneNumber), heard]);
    return code;
  } finally {
    clearTimeout(timer);
    sock.ws.off('CB:iq,type:error', refused);
    sock.ws.off('CB:iq,type:result,link_code_companion_reg', resolve);
  }
}
