import {
  type BinaryNode,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  parseAndInjectE2ESessions,
  S_WHATSAPP_NET,
  type WASocket,
} from 'baileys';

/** What a device without a SignalSession got: one, none because the network has no keys of it, or none because of this failure. */
export type SessionStart = 'started' | 'no_keys' | { readonly failure: unknown };

/** The network's code for what it does not have. */
const notFound = '404';

/**
 * Starts SignalSessions with those of these devices (JIDs) that have none, or with `anew` with all of them. Answers for each that was asked for. The
 * devices are asked for by the JIDs that are given here: Baileys (7.0.0-rc14, `assertSessions`) leaves out everybody who has no LID, and drops the
 * keys of all when one device has none. Rejects when the network did not answer.
 */
export async function startSignalSessions(
  sock: Pick<WASocket, 'query' | 'signalRepository'>,
  jids: readonly string[],
  { anew = false } = {},
): Promise<SessionStart[]> {
  const { signalRepository } = sock;
  const known = anew ? [] : await Promise.all(jids.map((jid) => signalRepository.validateSession(jid)));
  const asked = jids.filter((_, place) => known[place]?.exists !== true);
  if (asked.length === 0) return [];
  const users = asked.map((jid) => ({ tag: 'user', attrs: anew ? { jid, reason: 'identity' } : { jid } }));
  const attrs = { xmlns: 'encrypt', type: 'get', to: S_WHATSAPP_NET };
  const answer: unknown = await sock.query({ tag: 'iq', attrs, content: [{ tag: 'key', attrs: {}, content: users }] });
  if (answer === undefined) throw new Error('the network did not answer a question about keys');
  const answered = getBinaryNodeChildren(getBinaryNodeChild(answer as BinaryNode, 'list'), 'user');
  const starts: SessionStart[] = [];
  for (const jid of asked) {
    starts.push(
      await start(
        signalRepository,
        answered.find((user) => user.attrs.jid === jid),
      ),
    );
  }
  return starts;
}

async function start(repository: WASocket['signalRepository'], user: BinaryNode | undefined): Promise<SessionStart> {
  if (user === undefined || getBinaryNodeChild(user, 'error')?.attrs.code === notFound) return 'no_keys';
  try {
    await parseAndInjectE2ESessions({ tag: 'iq', attrs: {}, content: [{ tag: 'list', attrs: {}, content: [user] }] }, repository);
    return 'started';
  } catch (failure) {
    return { failure };
  }
}
