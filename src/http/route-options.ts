import type { FastifySchema, onRequestAsyncHookHandler } from 'fastify';
import type { Clock, LiveFeed } from '../core/index.ts';
import type { Sender } from '../messages/index.ts';
import type { NetworkName, SandboxPhones } from '../networks/index.ts';
import type { LiveEvent, Sessions } from '../sessions/index.ts';
import type { Store } from '../store/index.ts';
import type { createAdmission } from './hooks/admission.ts';

/** Why a server should get no requests now, other than its store. */
export type NotReadyReason = 'starting' | 'stopping' | 'draining' | 'no_lease';

/** What works only in part: without Redis each server counts its own share of the rate limits. */
export const degradations = ['redis'] as const;

/** What `/health` and `/health/ready` show of this process. */
export interface Readiness {
  /** null: it may get requests as long as its store works. */
  notReady(): NotReadyReason | null;
  degraded(): readonly (typeof degradations)[number][];
}

/** What routes may use. */
export interface RouteOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly sessions: Sessions;
  /** Live events, for the streams that follow them. */
  readonly feed: LiveFeed<LiveEvent>;
  readonly sender: Sender;
  readonly networks: readonly [NetworkName, ...NetworkName[]];
  /** null when the sandbox is not enabled. */
  readonly sandbox: SandboxPhones | null;
  readonly idempotency: boolean;
  readonly version: string;
  /** Where callers reach the service, for example `https://gateway.example.com`; null: the address they asked at. */
  readonly publicUrl: string | null;
  readonly readiness: Readiness;
  readonly admission: ReturnType<typeof createAdmission>;
}

/** Where else the two endpoints of a pairing are mounted, and what lets their callers in. They get the codes, and nothing else of the number. */
export interface PairingMount {
  readonly prefix: string;
  readonly onRequest: onRequestAsyncHookHandler;
}

/**
 * What the endpoints of one instance have in common: its owner answers, and no plan is needed. `readOnly`: nothing is changed. `mount`: whom else
 * they are for.
 */
export function atInstance(
  { admission }: RouteOptions,
  schema: FastifySchema,
  { readOnly, mount = null }: { readonly readOnly?: true; readonly mount?: PairingMount | null } = {},
) {
  return {
    config: { atOwner: 'path' } as const,
    schema,
    onRequest: mount?.onRequest ?? admission({ scope: 'instances', planRequired: false, callers: 'both', ...(readOnly && { readOnly }) }),
  };
}

/** Where the endpoints of the `messages` scope are mounted, and who may call them there: with keys in the API, with a session in the portal. */
export interface Mount {
  readonly prefix: string;
  readonly callers: 'keys' | 'portal';
}

/** The API, which the OpenAPI document describes. */
export const apiMount: Mount = { prefix: '/v1', callers: 'keys' };
