import { isTcTokenExpired, shouldSendNewTcToken, storeTcTokensFromIqResult } from 'baileys/lib/Utils/tc-token-utils.js';
import { createCache } from '../library/bounded-cache.ts';
import { nameOf } from './people.ts';
import type { Recipient } from './recipients.ts';
import type { SendingLog, SendingSocket } from './socket.ts';

/** How long a token that was read is used before it is read again. */
const rereadMs = 60_000;

interface Tokens {
  /** What the recipient gave this number. */
  readonly theirs: Uint8Array | null;
  /** Whether this number owes the recipient a token of its own. */
  readonly owed: boolean;
}

/**
 * The tokens by which two people prove to the network that they know each other. A message without one counts as starting a chat,
 * which the network may restrict (463). Read, sent and renewed as Baileys' own send does it.
 */
export class PrivacyTokens {
  readonly #sock: SendingSocket;
  readonly #log: SendingLog;
  readonly #read = createCache<Tokens>({ limit: 2_000, lifetimeMs: rereadMs });

  constructor(sock: SendingSocket, log: SendingLog) {
    this.#sock = sock;
    this.#log = log;
  }

  /** What goes along with a message to this recipient; null when there is nothing. */
  async of(recipient: Recipient): Promise<Uint8Array | null> {
    const name = nameOf(recipient.person);
    const { theirs } = this.#read.get(name) ?? (await this.#load(name));
    return this.#sock.serverProps.privacyTokenOn1to1 ? theirs : null;
  }

  /** After a message to this recipient: gives it this number's token, unless it has a recent one. Nothing waits for it. */
  giveOwn(recipient: Recipient): void {
    const known = this.#read.get(nameOf(recipient.person));
    if (known?.owed !== true) return;
    this.#read.set(nameOf(recipient.person), { ...known, owed: false });
    this.#issue(recipient).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'a privacy token could not be given');
    });
  }

  async #load(jid: string): Promise<Tokens> {
    const entry = (await this.#sock.authState.keys.get('tctoken', [jid]))[jid];
    const valid = entry !== undefined && entry.token.length > 0 && !isTcTokenExpired(entry.timestamp);
    const tokens = { theirs: valid ? entry.token : null, owed: shouldSendNewTcToken(entry?.senderTimestamp) };
    this.#read.set(jid, tokens);
    return tokens;
  }

  async #issue({ person }: Recipient): Promise<void> {
    const { authState, serverProps, signalRepository } = this.#sock;
    const { keys } = authState;
    const getLIDForPN = (pn: string) => signalRepository.lidMapping.getLIDForPN(pn);
    const issuedAt = Math.floor(Date.now() / 1000);
    const tokenJid = nameOf(person);
    const issueJid = serverProps.lidTrustedTokenIssueToLid ? tokenJid : (person.pn ?? tokenJid);
    const result = await this.#sock.issuePrivacyTokens([issueJid], issuedAt);
    await storeTcTokensFromIqResult({ result, fallbackJid: tokenJid, keys, getLIDForPN });
    const entry = (await keys.get('tctoken', [tokenJid]))[tokenJid];
    await keys.set({ tctoken: { [tokenJid]: { token: Buffer.alloc(0), ...entry, senderTimestamp: issuedAt } } });
  }
}
