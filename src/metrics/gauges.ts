import { Gauge, type Registry } from 'prom-client';
import { ageOf, chooseVersion, nothingKnown, type VersionRecord, versionText } from '../networks/index.ts';

/** A number of this server. */
interface CountedNumber {
  readonly network: { readonly name: string };
  readonly status: string;
  readonly restriction: { readonly reason: string } | null;
}

/** What answers tell the state of. */
export interface Sources {
  readonly version: string;
  /** Epoch milliseconds. */
  now(): number;
  numbers(): readonly CountedNumber[];
  /** Whether this server should get requests, as far as it knows without asking its store. */
  ready(): boolean;
  connections(): number;
  /** Asks the store. */
  owed(): Promise<{ readonly count: number; readonly oldestAt: number | null }>;
  /** WhatsApp's client version; null: the network is not enabled. `record` asks the store. */
  readonly clientVersion: { readonly override: number | null; record(): Promise<VersionRecord | null> } | null;
}

/** Adds what is looked up whenever somebody asks. What the store cannot tell now is left out of the answer. */
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
  addOwed(registry, sources);
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

function addOwed(registry: Registry, { owed, now }: Sources): void {
  const registers = [registry];
  const oldest = new Gauge({
    name: 'gateway_owed_oldest_seconds',
    help: 'For how long the oldest of them has waited; 0 when nothing is owed.',
    registers,
  });
  new Gauge({
    name: 'gateway_owed',
    help: 'What could not be written when it was due, and is tried again until it is (of all servers).',
    registers,
    async collect() {
      const sum = await owed().catch(() => null);
      // A metric without a value is better than an old one.
      this.reset();
      oldest.reset();
      if (sum === null) {
        this.remove();
        oldest.remove();
        return;
      }
      this.set(sum.count);
      oldest.set(sum.oldestAt === null ? 0 : Math.max(0, now() - sum.oldestAt) / 1000);
    },
  });
}

function addClientVersion(registry: Registry, { now }: Sources, { override, record }: NonNullable<Sources['clientVersion']>): void {
  const registers = [registry];
  const age = new Gauge({
    name: 'gateway_client_version_age_seconds',
    help: 'At least so old is the version of WhatsApp Web that numbers connect with. WhatsApp refuses one after four to five months.',
    registers,
  });
  const expiry = new Gauge({
    name: 'gateway_client_version_expires_timestamp_seconds',
    help: 'When WhatsApp will stop to accept that version; absent while it has not said.',
    labelNames: ['version'],
    registers,
  });
  new Gauge({
    name: 'gateway_client_version_info',
    help: 'The version of WhatsApp Web that numbers connect with, and where it comes from.',
    labelNames: ['version', 'source'],
    registers,
    async collect() {
      const known = await record().catch(() => null);
      const chosen = chooseVersion(known ?? nothingKnown, override);
      this.reset();
      this.set({ version: versionText(chosen.revision), source: chosen.source }, 1);
      const oldMs = ageOf(chosen, now());
      if (oldMs === null) age.remove();
      else age.set(oldMs / 1000);
      expiry.reset();
      if (chosen.expiresAt !== null) expiry.set({ version: versionText(chosen.revision) }, chosen.expiresAt / 1000);
    },
  });
}
