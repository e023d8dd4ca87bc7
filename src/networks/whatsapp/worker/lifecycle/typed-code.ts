import { type BinaryNode, getBinaryNodeChild, type WASocket } from 'baileys';
import type { WorkerLog } from '../library/library-log.ts';

const answerMs = 5_000;

interface TypedCodeOptions {
  readonly sock: Pick<WASocket, 'requestPairingCode' | 'ws'>;
  readonly log: WorkerLog;
  /** The network has asked for another code, which replaces the one that was given. */
  renewed(code: string): void;
}

/** The code of one attempt that is typed on the phone instead of a scan. */
export class TypedCode {
  readonly #options: TypedCodeOptions;
  #phoneNumber: string | null = null;
  /** The network's reference for the current code. */
  #ref: Uint8Array | null = null;

  constructor(options: TypedCodeOptions) {
    this.#options = options;
  }

  /** A code to type on the phone with this number (digits). Rejects when the network refuses to link that number by a code. */
  async request(phoneNumber: string): Promise<string> {
    const { sock } = this.#options;
    this.#phoneNumber = phoneNumber;
    const { promise: heard, resolve, reject } = Promise.withResolvers<void>();
    const refused = () => reject(new Error('the network refused a pairing code for this number'));
    const accepted = (answer: BinaryNode) => {
      this.#ref = refIn(answer);
      resolve();
    };
    // Baileys sends the request under an id that it does not reveal and does not wait for the answer.
    sock.ws.once('CB:iq,type:error', refused);
    sock.ws.once('CB:iq,type:result,link_code_companion_reg', accepted);
    const timer = setTimeout(resolve, answerMs);
    try {
      const [code] = await Promise.all([sock.requestPairingCode(phoneNumber), heard]);
      return code;
    } finally {
      clearTimeout(timer);
      sock.ws.off('CB:iq,type:error', refused);
      sock.ws.off('CB:iq,type:result,link_code_companion_reg', accepted);
    }
  }

  /** The network asks for another code in place of the one with the notification's reference, because it was shown for too long or the owner wants it. */
  refresh(notification: BinaryNode): void {
    const ref = refIn(notification);
    if (this.#phoneNumber === null || ref === null || this.#ref === null || Buffer.compare(ref, this.#ref) !== 0) return;
    const { log, renewed } = this.#options;
    this.request(this.#phoneNumber).then(renewed, (error: unknown) => log.warn(error, 'the network gave no other pairing code'));
  }
}

/** Whether the notification asks for another code (WhatsApp Web: WASmaxInMdRefreshCodeNotifyCompanionRequest). */
export function asksForCode(notification: BinaryNode): boolean {
  return getBinaryNodeChild(notification, 'link_code_companion_reg')?.attrs.stage === 'refresh_code';
}

function refIn(node: BinaryNode): Uint8Array | null {
  const ref = getBinaryNodeChild(getBinaryNodeChild(node, 'link_code_companion_reg'), 'link_code_pairing_ref')?.content;
  return ref instanceof Uint8Array ? ref : null;
}
