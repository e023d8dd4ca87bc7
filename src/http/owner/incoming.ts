import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import {
  bodyHash,
  noteHeader,
  type PeerHandler,
  type PeerKeys,
  peerHeader,
  readPeerHeader,
  type SharedTime,
  type Signed,
} from '../../coordination/index.ts';
import { GatewayError } from '../../core/index.ts';
import { answerMoved } from './forward.ts';
import { writeNote } from './note.ts';

/** A request of another server while this one answers it: what that server has signed. */
export type Forwarded = Signed;

declare module 'fastify' {
  interface FastifyRequest {
    /** null: it came from a caller and not from another server. */
    forwarded: Forwarded | null;
  }
}

interface IncomingOptions {
  readonly keys: Pick<PeerKeys, 'counting'>;
  /** The id of this server; null while it answers no other. */
  nodeId(): string | null;
  readonly time: SharedTime;
}

/** Tells requests of other servers from those of callers. Another server's caller was counted, and is logged, where it came in. */
export class IncomingRequests {
  readonly #options: IncomingOptions;
  readonly #read = new WeakMap<IncomingMessage, Forwarded | 'refused'>();

  constructor(options: IncomingOptions) {
    this.#options = options;
  }

  /** null for a caller's; `refused` when it claims to be another server's and is not. */
  of(raw: IncomingMessage): Forwarded | 'refused' | null {
    const header = raw.headers[peerHeader];
    if (header === undefined) return null;
    const known = this.#read.get(raw);
    if (known !== undefined) return known;
    const { keys, time } = this.#options;
    const [method, path] = [raw.method ?? '', raw.url ?? ''];
    const now = time.now();
    const each = typeof header === 'string' ? keys.counting.map((key) => readPeerHeader(key, header, { method, path, now })) : [];
    const signed = each.find((one) => one !== null) ?? null;
    if (signed === null) time.doubt();
    const read = signed ?? 'refused';
    this.#read.set(raw, read);
    return read;
  }

  /** Whether it is meant for a server that this process is not, or is no more. */
  isAstray({ node }: Forwarded): boolean {
    return node !== this.#options.nodeId();
  }
}

/** Answers other servers, and nobody else; what is wrong with a request of them is answered like an unknown path. To be registered after the errors. */
export function registerIncoming(server: FastifyInstance, incoming: IncomingRequests, handlers: readonly PeerHandler[]): void {
  server.addHook('onRequest', async ({ forwarded, raw }, reply) => {
    if (incoming.of(raw) === 'refused') throw unknownPath();
    if (forwarded !== null && incoming.isAstray(forwarded)) return answerMoved(reply);
  });
  server.addHook('preValidation', async ({ forwarded, bodyText }) => {
    if (forwarded !== null && bodyHash(bodyText ?? '') !== forwarded.bodyHash) throw unknownPath();
  });
  // Without a promise: Node ends the connection of a method that it takes for the beginning of HTTP/2 when the request is not answered at once.
  server.addHook('onSend', (request, reply, _payload, done) => {
    if (request.forwarded !== null) reply.header(noteHeader, writeNote(request.trace));
    done();
  });
  for (const { path, handle } of handlers) {
    server.post(
      path,
      {
        onRequest: async ({ forwarded }) => {
          if (forwarded === null) throw unknownPath();
        },
      },
      async ({ body }) => handle(body),
    );
  }
}

export function unknownPath(): GatewayError {
  return new GatewayError('not_found', 'No such path, or the path does not support this method.');
}
