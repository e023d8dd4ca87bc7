import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../audit/index.ts';
import { newMarks, type StageMarks } from '../core/index.ts';
import type { AccountTerms } from '../store/index.ts';

/** The account of a request that was let in, by a key or by a session. */
export interface Admitted extends AccountTerms {
  /** null for a session; then the request has its actor. */
  readonly keyId: string | null;
}

/** What the request log will say of a request, gathered on its way. */
export interface Trace extends StageMarks {
  accountId: string | null;
  keyId: string | null;
  /** Who asks from the portal; null for a key and before a sign-in. */
  person: { readonly id: string; readonly email: string } | null;
  code: string | null;
  errorMessage: string | null;
  instanceId: string | null;
  messageType: string | null;
  messageId: string | null;
  recipient: string | null;
  /** The host that the message's file comes from. */
  mediaHost: string | null;
  idempotency: 'new' | 'replayed' | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for every request before anything else runs, by the first hook or, where no hook runs, by `beginUnrouted`. */
    trace: Trace;
    /** For which account; set by the admission hook, so only routes that carry it may read it. */
    admission: Admitted;
    /** Who changes things by this request; null: the key of the admission. */
    actor: Actor | null;
    /** The checked Idempotency-Key of a send; null without one. */
    idempotencyKey: string | null;
    /** The request's number exists, but another server may own it: when it is not found here, nothing is known of it. */
    moving: boolean;
  }
}

/** A trace at the beginning of a request; `startedAt` is in milliseconds of `performance.now()`. */
export function newTrace(startedAt: number): Trace {
  return {
    ...newMarks(startedAt),
    accountId: null,
    keyId: null,
    person: null,
    code: null,
    errorMessage: null,
    instanceId: null,
    messageType: null,
    messageId: null,
    recipient: null,
    mediaHost: null,
    idempotency: null,
  };
}

/** Who changes things by this request, for the audit log. Only after the admission. */
export function actorOf({ actor, admission }: { readonly actor: Actor | null; readonly admission: Admitted }): Actor {
  if (actor !== null) return actor;
  if (admission.keyId === null) throw new Error('a request without a key must have its actor');
  return { kind: 'key', id: admission.keyId };
}

/** Has a request taken for one that came by https or not, where its socket says nothing of how the caller came. */
export function cameBy(request: FastifyRequest, https: boolean): void {
  Object.defineProperty(request, 'protocol', { value: https ? 'https' : 'http' });
}

/** Where callers reach the service: PUBLIC_URL, else the address this caller asked at. */
export function ownAddress(request: FastifyRequest, publicUrl: string | null): string {
  return publicUrl ?? `${request.protocol}://${request.host}`;
}

/** Every address of the service that this caller may mean: PUBLIC_URL, and the one asked at. */
export function ownBases(request: FastifyRequest, publicUrl: string | null): readonly string[] {
  const asked = `${request.protocol}://${request.host}`;
  return publicUrl === null ? [asked] : [publicUrl, asked];
}

/** Aborted when the caller's connection closes before the answer is written, and when the server that passed the request on waits no longer. */
export function untilGone({ raw, request: { forwarded, outerSocket } }: FastifyReply): AbortSignal {
  if (raw.destroyed || outerSocket?.destroyed === true) return AbortSignal.abort();
  const gone = new AbortController();
  const abort = () => gone.abort();
  outerSocket?.once('close', abort);
  // Aborting makes an error with its stack, which a finished answer need not pay for.
  raw.once('close', () => {
    outerSocket?.off('close', abort);
    if (!raw.writableFinished) abort();
  });
  return forwarded === null ? gone.signal : AbortSignal.any([gone.signal, AbortSignal.timeout(forwarded.deadlineMs)]);
}
