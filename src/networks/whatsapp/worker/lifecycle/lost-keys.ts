import { type BinaryNode, getBinaryNodeChild, type WASocket } from 'baileys';
import type { WorkerLog } from '../library/library-log.ts';

const notFound = 404;
/** As many one-time keys as after linking. */
const keyCount = 812;

/**
 * Uploads the device's keys again when the network has lost them, as WhatsApp's own web client does. Baileys asks for their digest during each login
 * and goes on when there is none. Without keys nobody can start writing to the device, not even its phone.
 */
export function replaceLostKeys(sock: Pick<WASocket, 'ws' | 'ev' | 'digestKeyBundle' | 'uploadPreKeys'>, log: WorkerLog): void {
  // Which question an error answers is not known here, so the digest is asked for once more.
  let isSuspected = false;
  const suspect = (answer: BinaryNode) => {
    if (getBinaryNodeChild(answer, 'error')?.attrs.code === String(notFound)) isSuspected = true;
  };
  sock.ws.on('CB:iq,type:error', suspect);
  sock.ev.on('connection.update', ({ connection }) => {
    if (connection !== 'open') return;
    sock.ws.off('CB:iq,type:error', suspect);
    if (isSuspected) replace().catch((error: unknown) => log.error(error, 'the keys of a number could not be uploaded again'));
  });

  async function replace(): Promise<void> {
    try {
      await sock.digestKeyBundle();
    } catch (error) {
      if (!(error instanceof Error && 'data' in error && error.data === notFound)) throw error;
      await sock.uploadPreKeys(keyCount);
    }
  }
}
