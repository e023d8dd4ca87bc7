import { Counter, type Registry } from 'prom-client';
import type { SessionEvents } from '../sessions/index.ts';

/** Counts what happens to links, and to the right to connect numbers. */
export function countOwnership(registry: Registry): SessionEvents {
  const registers = [registry];
  const ended = new Counter({
    name: 'gateway_links_ended_total',
    help: 'Links to a network that ended without a request; lost and restart reconnect.',
    labelNames: ['network', 'reason'],
    registers,
  });
  const taken = new Counter({
    name: 'gateway_numbers_taken_total',
    help: 'Numbers without an owner that this server took.',
    registers,
  });
  const given = new Counter({ name: 'gateway_numbers_given_total', help: 'Numbers that this server gave back for others.', registers });
  const lost = new Counter({
    name: 'gateway_ownership_lost_total',
    help: 'Times that this server lost its right to all of its numbers.',
    registers,
  });
  const stale = new Counter({
    name: 'gateway_stale_writes_refused_total',
    help: 'Writes that were refused because their epoch had ended: another server owned the number.',
    registers,
  });
  return {
    connectionEnded: (network, reason) => ended.inc({ network, reason }),
    taken: (numbers) => taken.inc(numbers),
    given: (numbers) => given.inc(numbers),
    rightLost: () => lost.inc(),
    staleWriteRefused: () => stale.inc(),
  };
}
