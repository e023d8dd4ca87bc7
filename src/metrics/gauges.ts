import { Gauge, type Registry } from 'prom-client';
import { ageOf, chooseVersion, nothingKnown, type VersionRecord, versionText } from '../networks/index.ts';

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
  /** Asks the store. */
  pendingWrites(): Promise<{ readonly count: number; readonly oldestAt: number | null }>;
  /** WhatsApp's client version; null: the network is not enabled. `record` asks the store. */
  readonly clientVersion: { readonly override: number | null; record(): Promise<VersionRecord | null> } | null;
}

/** Adds what is looked up whenever somebody asks. What the store does not answer now is left out. */
export function addGauges(registry: Registry, sources: Sources): void {
  const registers = [registry];
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });

  new Gauge({ name: 'gateway_info', help: 'The version of the program.', labelNames: ['version'], registers }).set(
    { version: sources.version },
    1,
  );
  gauge('gateway_ready', '1 while this server should get requests (GET /health/ready, without its look at the store).', () =>
    sources.ready() ? 1 : 0,
  );
  gauge('gateway_connections', 'Open connections of clients.', () => sources.connections());
  addNumbers(registry, sources);
  addPendingWrites(registry, sources);
  if (sources.clientVersion !== null) addClientVersion(registry, sources, sources.clientVersion);
}

function addNumbers(registry: Registry, { numbers }: Sources): void {
  new Gauge({
    name: 'gateway_numbers',
    help: 'Numbers of this server by network, status and restriction.',
    labelNames: ['network', 'status', 'restriction'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { network, status, restriction } of numbers())
        this.inc({ network: network.name, status, restriction: restriction?.reason ?? 'none' });
    },
  });
}

function addPendingWrites(registry: Registry, { pendingWrites, now }: Sources): void {
  const sum = askedTogether(pendingWrites);
  lookedUp(registry, {
    name: 'gateway_pending_writes',
    help: 'Writes that failed when they were due and are tried again until they succeed (all servers).',
    value: async () => (await sum()).count,
  });
  lookedUp(registry, {
    name: 'gateway_pending_writes_oldest_seconds',
    help: 'How long the oldest of them has waited; 0 when there is none.',
    async value() {
      const { oldestAt } = await sum();
      return oldestAt === null ? 0 : Math.max(0, now() - oldestAt) / 1000;
    },
  });
}

function addClientVersion(registry: Registry, { now }: Sources, { override, record }: NonNullable<Sources['clientVersion']>): void {
  const chosen = askedTogether(async () => chooseVersion((await record()) ?? nothingKnown, override));
  new Gauge({
    name: 'gateway_client_version_info',
    help: 'The version of WhatsApp Web that numbers connect with, and where it comes from.',
    labelNames: ['version', 'source'],
    registers: [registry],
    async collect() {
      const version = await chosen().catch(() => null);
      this.reset();
      if (version !== null) this.set({ version: versionText(version.revision), source: version.source }, 1);
    },
  });
  lookedUp(registry, {
    name: 'gateway_client_version_age_seconds',
    help: 'Minimum age of the version of WhatsApp Web that numbers connect with. WhatsApp refuses a version after four to five months.',
    async value() {
      const ageMs = ageOf(await chosen(), now());
      return ageMs === null ? null : ageMs / 1000;
    },
  });
  lookedUp(registry, {
    name: 'gateway_client_version_expires_timestamp_seconds',
    help: 'When WhatsApp will stop accepting that version; absent until WhatsApp has announced it.',
    async value() {
      const { expiresAt } = await chosen();
      return expiresAt === null ? null : expiresAt / 1000;
    },
  });
}

interface LookedUp {
  readonly name: string;
  readonly help: string;
  /** null: there is no value now. */
  value(): Promise<number | null>;
}

/** A metric from the store. When the store does not answer, there is no value, which is better than an old one. */
function lookedUp(registry: Registry, { name, help, value }: LookedUp): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const found = await value().catch(() => null);
      if (found === null) this.remove();
      else this.set(found);
    },
  });
}

/** Metrics are looked up side by side; those that need the same answer share one question. */
function askedTogether<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asking: Promise<Answer> | null = null;
  return () => {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };
}
