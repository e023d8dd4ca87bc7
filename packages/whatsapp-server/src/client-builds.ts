import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BinaryNode, DEFAULT_CONNECTION_CONFIG, proto } from 'baileys';
import type { Builds } from './api.ts';
import type { LoginFailure } from './fault-board.ts';
import { networkJid } from './jids.ts';

const { WEB } = proto.ClientPayload.UserAgent.Platform;
const { DARWIN, WIN32 } = proto.ClientPayload.WebInfo.WebSubPlatform;

/** The version built into the library. */
const bundled = DEFAULT_CONNECTION_CONFIG.version[2];

/** Checks the versions that clients claim, and serves the page that names the newest. */
export class ClientBuilds implements Builds {
  readonly seen: number[] = [];
  reads = 0;
  #floor = bundled;
  #newest = bundled + 1_000;
  #page: 'serve' | 'fail' | 'hang' | string = 'serve';
  #expiration: BinaryNode | null = null;
  readonly #tellAll: (node: BinaryNode) => void;
  readonly #changed: () => void;

  /** `tellAll` sends a stanza to every connected device. `changed` is called when there is something new to see. */
  constructor({ tellAll, changed }: { tellAll: (node: BinaryNode) => void; changed: () => void }) {
    this.#tellAll = tellAll;
    this.#changed = changed;
  }

  get newest(): number {
    return this.#newest;
  }

  refuseBelow(revision: number): void {
    this.#floor = revision;
  }

  publish(revision: number): void {
    this.#newest = revision;
  }

  page(does: 'serve' | 'fail' | 'hang' | { text: string }): void {
    this.#page = typeof does === 'string' ? does : does.text;
  }

  expire(at: number | null): void {
    const attrs: Record<string, string> = at === null ? {} : { t: String(at) };
    const notice = { tag: 'ib', attrs: { from: networkJid }, content: [{ tag: 'client_expiration', attrs }] };
    this.#expiration = at === null ? null : notice;
    this.#tellAll(notice);
  }

  /** The notice that a device gets after its login; null for none. */
  get notice(): BinaryNode | null {
    return this.#expiration;
  }

  /** Why a client may not log in: a failure, or `cut` when the network just closes the connection; null when it may. */
  judge({ userAgent, webInfo, devicePairingData }: proto.IClientPayload): LoginFailure | 'cut' | null {
    const { primary, secondary, tertiary } = userAgent?.appVersion ?? {};
    this.seen.push(tertiary ?? 0);
    this.#changed();
    if (userAgent?.platform !== WEB || primary !== 2 || secondary !== 3000 || !tertiary) return { code: 409 };
    if (webInfo?.webSubPlatform === WIN32 || webInfo?.webSubPlatform === DARWIN) return 'cut';
    if (tertiary < this.#floor) return { code: 405 };
    const hash = createHash('md5').update(`2.3000.${tertiary}`).digest();
    if (devicePairingData && !hash.equals(devicePairingData.buildHash ?? new Uint8Array())) return { code: 400 };
    return null;
  }

  /** Answers the version page; false for another path. */
  answer({ url }: IncomingMessage, response: ServerResponse): boolean {
    if (url !== '/sw.js') return false;
    this.reads += 1;
    this.#changed();
    switch (this.#page) {
      case 'hang':
        break;
      case 'fail':
        response.writeHead(503).end();
        break;
      case 'serve':
        response.writeHead(200, { 'content-type': 'text/javascript' });
        response.end(
          `importScripts("/x.js");const config=JSON.parse("{\\"server_revision\\":1,\\"client_revision\\":${this.#newest},\\"tier\\":\\"sb\\"}");`,
        );
        break;
      default:
        response.writeHead(200).end(this.#page);
    }
    return true;
  }
}
