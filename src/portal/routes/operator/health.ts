import type { FastifyInstance, FastifyRequest } from 'fastify';
import { countStandings } from '../../../accounts/index.ts';
import { iso } from '../../../core/index.ts';
import { type Finding, translated } from '../../../health/index.ts';
import type { Texts } from '../../../language/index.ts';
import { endpoint } from '../../endpoint.ts';
import { textsFor } from '../../language.ts';
import { administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';

/** GET /portal/api/operator/health: how this server is. */
export function healthRoute(server: FastifyInstance, options: PortalOptions): void {
  const onRequest = administers(options, { providerAdmins: false });
  endpoint(server, 'GET /portal/api/operator/health', { onRequest }, (request) => healthView(options, request));
}

export async function healthView(options: PortalOptions, request: FastifyRequest) {
  const { startedAt, store, eventLoop, findings } = await options.health.read();
  const texts = textsFor(options, request);
  const { rss, heapUsed } = process.memoryUsage();
  const statuses = [...(await options.sessions.states.statuses()).values()];
  const { all, ...standings } = await countStandings(options.store, options.clock.now());
  const open = statuses.filter((status) => status === 'open').length;
  const connecting = statuses.filter((status) => status === 'connecting').length;
  // Closed is also what has no status: nobody owns it, or its network is not enabled. Numbers may have been deleted since the statuses were read.
  const numbers = { open, connecting, close: Math.max(0, all - open - connecting), ...standings };
  return {
    version: options.version,
    started_at: iso(startedAt),
    store: { dialect: options.store.dialect, ok: store.ok, latency_ms: store.latencyMs },
    memory: { rss_bytes: rss, heap_used_bytes: heapUsed },
    event_loop: { p50_ms: eventLoop.p50Ms, p99_ms: eventLoop.p99Ms },
    numbers,
    networks: options.networks,
    checks: findings.map((finding) => checkView(finding, texts)),
  };
}

export function checkView(finding: Finding, texts: Texts) {
  const { check, state, message, mend } = translated(finding, texts);
  return { name: check, ok: state !== 'fail', state, message, mend };
}
