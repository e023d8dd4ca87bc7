import { z } from 'zod';
import { CallError, type Calls, type Handler, handler, type Method } from '../../coordination/index.ts';
import type { SandboxPhones } from '../../networks/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import type { Leases } from '../../store/index.ts';

const deadlineMs = 5_000;
const link = z.object({ instanceId: z.string() }).nullable();
type Scanned = { readonly instanceId: string } | null;

const scan: Method<{ accountId: string; code: string; phoneNumber: string }, Scanned> = {
  name: 'sandbox_scan',
  payload: z.object({ accountId: z.string(), code: z.string(), phoneNumber: z.string() }),
  answer: link,
};
const unlink: Method<{ accountId: string; phoneNumber: string }, Scanned> = {
  name: 'sandbox_unlink',
  payload: z.object({ accountId: z.string(), phoneNumber: z.string() }),
  answer: link,
};
const openCodes: Method<{ accountId: string }, { instanceId: string; code: string; expiresAt: number; sequence: number }[]> = {
  name: 'sandbox_codes',
  payload: z.object({ accountId: z.string() }),
  answer: z.array(z.object({ instanceId: z.string(), code: z.string(), expiresAt: z.number(), sequence: z.number() })),
};

interface SharedPhonesOptions {
  readonly phones: SandboxPhones;
  readonly calls: Calls;
  readonly leases: Leases;
  readonly sessions: Pick<Sessions, 'find'>;
  nodeId(): string | null;
}

/** The sandbox's phones, whose codes are shown and whose links are held by any node. */
export function sharePhones({ phones, calls, leases, sessions, nodeId }: SharedPhonesOptions): {
  readonly phones: SandboxPhones;
  readonly handlers: readonly Handler[];
} {
  /** What the next call to this number shows, after a phone has linked or unlinked it. */
  async function settled(accountId: string, done: Scanned): Promise<Scanned> {
    if (done !== null) await sessions.find(accountId, done.instanceId)?.settled();
    return done === null ? null : { instanceId: done.instanceId };
  }

  /** What the other nodes answer; those that do not are left out. */
  async function askOthers<Payload, Answer>(method: Method<Payload, Answer>, payload: Payload): Promise<Answer[]> {
    const others = (await leases.nodes()).filter(({ id }) => id !== nodeId());
    const answers = await Promise.all(
      others.map(({ id }) =>
        calls.call(id, method, payload, { deadlineMs }).then(
          (answer) => [answer],
          (error: unknown) => {
            if (error instanceof CallError) return [];
            throw error;
          },
        ),
      ),
    );
    return answers.flat();
  }

  return {
    phones: {
      ...phones,
      async scan(accountId, code, phoneNumber) {
        const here = await phones.scan(accountId, code, phoneNumber);
        if (here !== null) return here;
        const there = (await askOthers(scan, { accountId, code, phoneNumber })).find((found) => found !== null);
        return there == null ? null : { instanceId: there.instanceId, phoneNumber };
      },
      async unlink(accountId, phoneNumber) {
        const linked = (await phones.linkedPhones(accountId)).find((phone) => phone.phoneNumber === phoneNumber);
        const owner = linked === undefined ? undefined : await leases.ownerOf(accountId, linked.instanceId);
        if (owner == null || owner === nodeId()) return phones.unlink(accountId, phoneNumber);
        // Its owner closes the link; the next owner finds the device gone.
        return calls.call(owner, unlink, { accountId, phoneNumber }, { deadlineMs }).catch((error: unknown) => {
          if (error instanceof CallError && error.done === 'no') return phones.unlink(accountId, phoneNumber);
          throw error;
        });
      },
      async openCodes(accountId) {
        const there = await askOthers(openCodes, { accountId });
        return [...(await phones.openCodes(accountId)), ...there.flat()];
      },
    },
    handlers: [
      handler(scan, async ({ accountId, code, phoneNumber }) => settled(accountId, await phones.scan(accountId, code, phoneNumber))),
      handler(unlink, async ({ accountId, phoneNumber }) => settled(accountId, await phones.unlink(accountId, phoneNumber))),
      handler(openCodes, async ({ accountId }) => [...(await phones.openCodes(accountId))]),
    ],
  };
}
