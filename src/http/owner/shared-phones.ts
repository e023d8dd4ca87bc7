import { z } from 'zod';
import { askPeer, type Peer, PeerError, type PeerHandler, type PeerMethod, type Peers, peerHandler } from '../../coordination/index.ts';
import { GatewayError, newId } from '../../core/index.ts';
import type { SandboxPhones } from '../../networks/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import type { Leases } from '../../store/index.ts';

const deadlineMs = 5_000;
const link = z.object({ instanceId: z.string() }).nullable();
type Scanned = { readonly instanceId: string } | null;

const scan: PeerMethod<{ accountId: string; code: string; phoneNumber: string }, Scanned> = {
  path: '/internal/sandbox/scan',
  payload: z.object({ accountId: z.string(), code: z.string(), phoneNumber: z.string() }),
  answer: link,
};
const unlink: PeerMethod<{ accountId: string; phoneNumber: string }, Scanned> = {
  path: '/internal/sandbox/unlink',
  payload: z.object({ accountId: z.string(), phoneNumber: z.string() }),
  answer: link,
};
const openCodes: PeerMethod<{ accountId: string }, { instanceId: string; code: string; expiresAt: number; sequence: number }[]> = {
  path: '/internal/sandbox/codes',
  payload: z.object({ accountId: z.string() }),
  answer: z.array(z.object({ instanceId: z.string(), code: z.string(), expiresAt: z.number(), sequence: z.number() })),
};

interface SharedPhonesOptions {
  readonly phones: SandboxPhones;
  readonly peers: Peers;
  readonly leases: Leases;
  readonly sessions: Pick<Sessions, 'find'>;
  nodeId(): string | null;
}

/** The sandbox's phones, whose codes are shown and whose links are held by any node. */
export function sharePhones({ phones, peers, leases, sessions, nodeId }: SharedPhonesOptions): {
  readonly phones: SandboxPhones;
  readonly handlers: readonly PeerHandler[];
} {
  /** What the next call to this number shows, after a phone has linked or unlinked it. */
  async function settled(accountId: string, done: Scanned): Promise<Scanned> {
    if (done !== null) await sessions.find(accountId, done.instanceId)?.settled();
    return done === null ? null : { instanceId: done.instanceId };
  }

  const ask = <Payload, Answer>(peer: Peer, method: PeerMethod<Payload, Answer>, payload: Payload) =>
    askPeer(peers, peer, method, payload, { deadlineMs, requestId: newId() });

  /** What the other nodes answer, and whether all of them did. */
  async function askOthers<Payload, Answer>(
    method: PeerMethod<Payload, Answer>,
    payload: Payload,
  ): Promise<{ readonly found: Answer[]; readonly complete: boolean }> {
    const others = (await leases.nodes()).filter(({ id }) => id !== nodeId());
    const answers = await Promise.all(
      others.map((peer) =>
        ask(peer, method, payload).then(
          (answer) => [answer],
          (error: unknown) => {
            if (error instanceof PeerError) return [];
            throw error;
          },
        ),
      ),
    );
    return { found: answers.flat(), complete: answers.every(({ length }) => length > 0) };
  }

  return {
    phones: {
      ...phones,
      async scan(accountId, code, phoneNumber) {
        const here = await phones.scan(accountId, code, phoneNumber);
        if (here !== null) return here;
        const { found, complete } = await askOthers(scan, { accountId, code, phoneNumber });
        const there = found.find((one) => one !== null);
        if (there != null) return { instanceId: there.instanceId, phoneNumber };
        if (complete) return null;
        throw new GatewayError('upstream_unavailable', 'A server that may show the code did not answer. The request may have been done.');
      },
      async unlink(accountId, phoneNumber) {
        const linked = (await phones.linkedPhones(accountId)).find((phone) => phone.phoneNumber === phoneNumber);
        const owner = linked === undefined ? undefined : await leases.ownerOf(accountId, linked.instanceId);
        if (owner == null || owner.id === nodeId()) return phones.unlink(accountId, phoneNumber);
        // Its owner closes the link; the next owner finds the device gone.
        return ask(owner, unlink, { accountId, phoneNumber }).catch((error: unknown) => {
          if (!(error instanceof PeerError)) throw error;
          if (error.done === 'no') return phones.unlink(accountId, phoneNumber);
          throw new GatewayError(
            'upstream_unavailable',
            'The server that holds the number did not answer. The request may have been done.',
          );
        });
      },
      async openCodes(accountId) {
        const { found } = await askOthers(openCodes, { accountId });
        return [...(await phones.openCodes(accountId)), ...found.flat()];
      },
    },
    handlers: [
      peerHandler(scan, async ({ accountId, code, phoneNumber }) => settled(accountId, await phones.scan(accountId, code, phoneNumber))),
      peerHandler(unlink, async ({ accountId, phoneNumber }) => settled(accountId, await phones.unlink(accountId, phoneNumber))),
      peerHandler(openCodes, async ({ accountId }) => [...(await phones.openCodes(accountId))]),
    ],
  };
}
