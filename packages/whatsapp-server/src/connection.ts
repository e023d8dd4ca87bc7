import { type BinaryNode, decodeBinaryNode, encodeBinaryNode, NOISE_WA_HEADER, type proto } from 'baileys';
import type { WebSocket } from 'ws';
import { FrameReader, frameOf } from './frames.ts';
import { networkJid } from './jids.ts';
import { NoiseResponder, type Transport } from './noise.ts';
import type { NoiseIdentity } from './noise-certificate.ts';

/** Receives the stanzas of a connection after its login was checked. */
export interface StanzaReceiver {
  onNode(node: BinaryNode): void | Promise<void>;
  onClosed(connection: Connection): void;
}

export interface Login {
  /** The static Noise key, which the client has proved to own. */
  readonly noiseKey: Buffer;
  readonly payload: proto.ClientPayload;
}

export interface ConnectionOptions {
  readonly identity: NoiseIdentity;
  /** Checks the login. Null when it was refused and the connection has been ended. */
  onLogin(connection: Connection, login: Login): StanzaReceiver | null;
  /** Whether the network writes its address as a plain server name in notifications. */
  isServerBare(): boolean;
  /** Called when a client broke the protocol, before its connection is cut. */
  onBroken(reason: string): void;
}

const closeGraceMs = 2_000;

/** One client's WebSocket: header, handshake, login, then encrypted stanzas, handled strictly in order. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  readonly #frames = new FrameReader();
  readonly #noise: NoiseResponder;
  #header: Buffer | null = Buffer.alloc(0);
  #greeted = false;
  #transport: Transport | null = null;
  #receiver: StanzaReceiver | null = null;
  #handling: Promise<void> = Promise.resolve();
  #silent = false;
  #ended = false;
  #closeTimer: NodeJS.Timeout | null = null;

  constructor(socket: WebSocket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#noise = new NoiseResponder(options.identity);
    socket.on('message', (data: Buffer) => this.#onBytes(data));
    // `close` reports a cut connection; without this listener the error would end the process.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#onClosed());
  }

  send(stanza: BinaryNode): void {
    const isBare = stanza.tag === 'notification' && stanza.attrs.from === networkJid && this.#options.isServerBare();
    const node = isBare ? { ...stanza, attrs: { ...stanza.attrs, from: networkJid.slice(1) } } : stanza;
    if (this.#silent || this.#ended || !this.#transport || this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(frameOf(this.#transport.encrypt(encodeBinaryNode(node))));
  }

  /** Sends a last stanza and closes, as the network does after stream errors and failures. */
  end(last: BinaryNode): void {
    this.send(last);
    this.#ended = true;
    this.#socket.close();
    this.#closeTimer ??= setTimeout(() => this.#socket.terminate(), closeGraceMs);
  }

  /** Cuts the TCP connection. */
  cut(): void {
    this.#ended = true;
    this.#socket.terminate();
  }

  /** Keeps the socket open and keeps reading, but answers nothing any more. */
  fallSilent(): void {
    this.#silent = true;
  }

  #onBytes(data: Buffer): void {
    if (this.#ended || this.#silent) return;
    const body = this.#afterHeader(data);
    if (!body) return;
    for (const frame of this.#frames.push(body)) {
      this.#handling = this.#handling
        .then(() => (this.#ended ? undefined : this.#onFrame(frame)))
        .catch((error: unknown) => {
          this.#options.onBroken(error instanceof Error ? error.message : String(error));
          this.cut();
        });
    }
  }

  #afterHeader(data: Buffer): Buffer | null {
    if (!this.#header) return data;
    this.#header = Buffer.concat([this.#header, data]);
    if (this.#header.length < NOISE_WA_HEADER.length) return null;
    const body = this.#header.subarray(NOISE_WA_HEADER.length);
    if (!this.#header.subarray(0, NOISE_WA_HEADER.length).equals(NOISE_WA_HEADER)) {
      this.#options.onBroken('the connection does not start with the protocol header');
      this.cut();
      return null;
    }
    this.#header = null;
    return body;
  }

  async #onFrame(frame: Buffer): Promise<void> {
    if (this.#transport) {
      const node = await decodeBinaryNode(this.#transport.decrypt(frame));
      if (!this.#silent && !this.#ended) await this.#receiver?.onNode(node);
      return;
    }
    if (!this.#greeted) {
      this.#greeted = true;
      this.#socket.send(frameOf(this.#noise.hello(frame)));
      return;
    }
    const { noiseKey, payload, transport } = this.#noise.finish(frame);
    this.#transport = transport;
    this.#receiver = this.#options.onLogin(this, { noiseKey, payload });
  }

  #onClosed(): void {
    this.#ended = true;
    if (this.#closeTimer) clearTimeout(this.#closeTimer);
    this.#receiver?.onClosed(this);
  }
}
