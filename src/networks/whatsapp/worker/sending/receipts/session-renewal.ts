import { startSignalSessions } from '../../library/session-starts.ts';
import type { LinkMemory } from '../link-memory.ts';
import type { SendingLog, SendingSocket } from '../socket.ts';
import type { Asked } from './retry-receipt.ts';

/** From this retry count on, a device that cannot read a message is assumed to have lost its SignalSession. */
const renewFromCount = 2;

interface SignalSessionRenewalOptions {
  readonly sock: SendingSocket;
  readonly memory: LinkMemory;
  readonly log: SendingLog;
}

/**
 * Repairs the SignalSession with a device that could not read a message, by the rules of tulir/whatsmeow (retry.go) and WhatsApp Web. Keys that come
 * with the request start a new one. A SignalSession for another registration, or one in which the same message has failed before, is deleted. Keys
 * are fetched at most once an hour per device, so that nobody can make the gateway use up keys without limit.
 */
export class SignalSessionRenewal {
  readonly #options: SignalSessionRenewalOptions;

  constructor(options: SignalSessionRenewalOptions) {
    this.#options = options;
  }

  /** Must be called before the message is encrypted again. `signalJid` is the JID under which the device's SignalRecord is stored. */
  async prepare(asked: Asked, signalJid: string): Promise<void> {
    const { sock, memory, log } = this.#options;
    const { signalRepository } = sock;
    if (asked.keys !== null) {
      try {
        await signalRepository.injectE2ESession({ jid: signalJid, session: asked.keys });
        return;
      } catch (error) {
        log.warn({ err: error }, 'the keys of a device that asked for a message again could not be used');
      }
    }
    const useless = await this.#isUseless(asked, signalJid);
    if (useless) await signalRepository.deleteSession([signalJid]);
    if (!useless && asked.count < renewFromCount) return;
    if (memory.renewed.has(signalJid)) return;
    memory.renewed.set(signalJid, signalJid);
    const [start] = await startSignalSessions(sock, [signalJid], { anew: true });
    if (start !== 'started') throw new Error('a device that asked for a message again gave no keys', { cause: start });
  }

  async #isUseless({ id, count, registrationId }: Asked, signalJid: string): Promise<boolean> {
    const { sock, memory } = this.#options;
    const signalSession = await sock.signalRepository.getSessionInfo(signalJid);
    if (signalSession === null) return false;
    if (registrationId !== null && signalSession.registrationId !== registrationId) return true;
    if (count < renewFromCount) return false;
    const name = `${id} ${signalJid}`;
    const key = Buffer.from(signalSession.baseKey).toString('base64');
    const same = memory.failedSignalSessions.get(name) === key;
    memory.failedSignalSessions.set(name, key);
    return same;
  }
}
