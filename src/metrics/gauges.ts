import { Gauge, type Registry } from 'prom-client';
import { singleFlight } from '../core/index.ts';
import { ageOf, chooseVersion, nothingKnown, type VersionRecord, versionText } from '../networks/index.ts';
import type { PendingWrites } from '../outbox/index.ts';

/** A number of this server. */
interface CountedNumber {
  readonly network: { readonly name: string };
  readonly status: string;
  readonly restriction: { readonly reason: string } | null;
}

/** Whose state is measured when somebody asks. */
export interface Sources {
  readonly version: string;
  /** Epoch milliseconds. */
  now(): number;
  numbers(): readonly CountedNumber[];
  /** Whether this server should get requests, as far as it knows without asking its store. */
  ready(): boolean;
  connections(): number;
  pendingWrites(): Promise<PendingWrites>;
  /** WhatsApp's client version; null: the network is not enabled. `record` asks the store. */
  readonly clientVersion: { readonly override: number | null; record(): Promise<VersionRecord | null> } | null;
}

/** Adds what is looked up whenever somebody asks. What the store does not answer now is left out: that is better than an old value. */
export function addGauges(registry: Registry, { version, now, numbers, ready, connections, pendingWrites, clientVersion }: Sources): void {
  const registers = [registry];
  /** `value` resolves to null when there is none now. */
  const gauge = (name: string, help: string, value: () => number | Promise<number | null>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const found = await Promise.resolve(value()).catch(() => null);
        if (found === null) this.remove();
        else this.set(found);
      },
    });

  new Gauge({ name: 'gateway_info', help: 'The version of the program.', labelNames: ['version'], registers }).set({ version }, 1);
  gauge('gateway_ready', '1 while this server should get requests (GET /health/ready, without its look at the store).', () =>
    ready() ? 1 : 0,
  );
  gauge('gateway_connections', 'Open connections of clients.', connections);
  new Gauge({
    name: 'gateway_numbers',
    help: 'Numbers of this server by network, status and restriction.',
    labelNames: ['network', 'status', 'restriction'],
    registers,
    collect() {
      this.reset();
      for (const { network, status, restriction } of numbers())
        this.inc({ network: network.name, status, restriction: restriction?.reason ?? 'none' });
    },
  });

  // Metrics are looked up side by side; those that need the same answer share one question.
  const sum = singleFlight(pendingWrites);
  gauge(
    'gateway_pending_writes',
    'Writes that failed when they were due and are tried again until they succeed (all servers).',
    async () => (await sum()).count,
  );
  gauge('gateway_pending_writes_oldest_seconds', 'How long the oldest of them has waited; 0 when there is none.', async () => {
    const { oldestAt } = await sum();
    return oldestAt === null ? 0 : Math.max(0, now() - oldestAt) / 1000;
  });

  if (clientVersion === null) return;
  const chosen = singleFlight(async () => chooseVersion((await clientVersion.record()) ?? nothingKnown, clientVersion.override));
  new Gauge({
    name: 'gateway_client_version_info',
    help: 'The version of WhatsApp Web that numbers connect with, and where it comes from.',
    labelNames: ['version', 'source'],
    registers,
    async collect() {
      const found = await chosen().catch(() => null);
      this.reset();
      if (found !== null) this.set({ version: versionText(found.revision), source: found.source }, 1);
    },
  });
  gauge(
    'gateway_client_version_age_seconds',
    'Minimum age of the version of WhatsApp Web that numbers connect with. WhatsApp refuses a version after four to five months.',
    async () => {
      const ageMs = ageOf(await chosen(), now());
      return ageMs === null ? null : ageMs / 1000;
    },
  );
  gauge(
    'gateway_client_version_expires_timestamp_seconds',
    'When WhatsApp will stop accepting that version; absent until WhatsApp has announced it.',
    async () => {
      const { expiresAt } = await chosen();
      return expiresAt === null ? null : expiresAt / 1000;
    },
  );
}
