import { getBinaryNodeChild, getBinaryNodeChildren, type MediaConnInfo, S_WHATSAPP_NET, type WASocket } from 'baileys';
import { systemClock } from '../../../../core/index.ts';

/**
 * Asks the network which media servers take and give files, like Baileys' `refreshMediaConn` (7.0.0-rc14), which keeps a failed question and fails with
 * it until the connection ends. The answer is used for as long as it is valid, unless it is asked for `anew`.
 */
export function mediaConnection(sock: Pick<WASocket, 'query'>): WASocket['refreshMediaConn'] {
  let known: { readonly servers: Promise<MediaConnInfo>; until: number } | null = null;
  const ask = () => {
    const asked = { servers: mediaServers(sock), until: Number.POSITIVE_INFINITY };
    asked.servers.then(
      ({ ttl }) => {
        asked.until = systemClock.monotonic() + ttl * 1000;
      },
      // Those who wait get the failure from the promise itself.
      () => {
        if (known === asked) known = null;
      },
    );
    return asked;
  };
  return (anew = false) => {
    if (anew || known === null || systemClock.monotonic() >= known.until) known = ask();
    return known.servers;
  };
}

async function mediaServers(sock: Pick<WASocket, 'query'>): Promise<MediaConnInfo> {
  const attrs = { to: S_WHATSAPP_NET, type: 'set', xmlns: 'w:m' };
  const answer = getBinaryNodeChild(await sock.query({ tag: 'iq', attrs, content: [{ tag: 'media_conn', attrs: {} }] }), 'media_conn');
  if (answer?.attrs.auth === undefined) throw new Error('the network does not say where files go');
  const hosts = getBinaryNodeChildren(answer, 'host').map(({ attrs: { hostname = '', maxContentLengthBytes } }) => ({
    hostname,
    maxContentLengthBytes: Number(maxContentLengthBytes),
  }));
  return { auth: answer.attrs.auth, ttl: Number(answer.attrs.ttl) || 0, hosts, fetchDate: new Date() };
}
