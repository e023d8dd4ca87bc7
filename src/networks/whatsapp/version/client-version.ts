import type { Logger } from 'pino';
import { type Clock, dayMs, hourMs, Periodic, singleFlight, withTimeout } from '../../../core/index.ts';
import {
  ageOf,
  type ChosenVersion,
  chooseVersion,
  isPlausible,
  nothingKnown,
  oldAfterMs,
  type VersionRecord,
  versionText,
} from './choose-version.ts';

/** Stores what is known of versions, for this process and later ones. */
export interface VersionStore {
  read(): Promise<VersionRecord | null>;
  /** Changes only these fields. */
  write(change: Partial<VersionRecord>): Promise<void>;
}

interface ClientVersionOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly store: VersionStore;
  /** The setting WHATSAPP_VERSION; null when it is not set. */
  readonly override: number | null;
  /** Reads the version page; null when it must not be read. Rejects when it cannot be read. */
  readonly fetch: (() => Promise<number>) | null;
  readonly random: () => number;
  /** Called with the version for all connections from now on, first by `begin` and then whenever it changes. */
  use(revision: number): void;
}

/** A refused version, and the search for a newer one that followed. */
interface Refusal {
  /** When the search began, by the stopwatch. */
  readonly at: number;
  readonly search: Promise<void>;
}

const minuteMs = 60 * 1000;
const secondMs = 1000;
/** How long connections wait for a newer version when the current one is old. WhatsApp may give an old version codes that no phone can scan. */
const newerMs = 3 * secondMs;
/** The page is read at a random time after the start, so that gateways that start together do not all request it at once. */
const jitterMs = 60 * secondMs;

/** The version for the connections of all numbers of the process. Neither the store nor the network is read before `begin`. */
export class ClientVersion {
  readonly #options: ClientVersionOptions;
  #record: VersionRecord = nothingKnown;
  #begun: Promise<void> | null = null;
  #used: number | null = null;
  readonly #refused = new Map<number, Refusal>();
  /** How often in a row the page could not be read after a refusal. */
  #failures = 0;
  #written: Promise<void> = Promise.resolve();
  #warnedOf = '';
  /** Checks every hour whether the version page is due and what other processes have stored. */
  readonly #looks: Periodic;

  /** Reads the page; concurrent calls share one request. The version is stored if it is plausible. False when the page could not be read. Never rejects. */
  readonly #fetch = singleFlight(async () => {
    const { clock, log, fetch, override } = this.#options;
    if (fetch === null || override !== null || this.#looks.stopped) return true;
    try {
      const revision = await fetch();
      const now = clock.now();
      if (!isPlausible(revision, this.#record, now)) {
        log.warn({ revision }, 'the version page names an impossible version; it is not used');
        return true;
      }
      if (revision !== this.#record.fetched) log.info({ version: versionText(revision) }, 'a new WhatsApp version is known');
      this.#keep({ fetched: revision, fetched_at: now });
      return true;
    } catch (error) {
      log.warn({ reason: error instanceof Error ? error.message : 'failed' }, 'the newest WhatsApp version could not be read');
      return false;
    }
  });

  constructor(options: ClientVersionOptions) {
    this.#options = options;
    const { clock, log, random } = options;
    this.#looks = new Periodic({ clock, everyMs: hourMs, firstMs: random() * jitterMs, work: () => this.#look(), log });
  }

  /** Called before a number connects. The first call determines the version. Never rejects. */
  begin(): Promise<void> {
    this.#begun ??= this.#begin();
    return this.#begun;
  }

  /**
   * WhatsApp has refused this version. The page is read at once, but at most once an hour per version, and sooner again when it could not be read.
   * Resolves to the milliseconds before the next attempt; 0 when there is another version to try.
   */
  async refused(revision: number): Promise<number> {
    const now = this.#options.clock.monotonic();
    const before = this.#refused.get(revision);
    const due = before === undefined || now - before.at >= this.#pauseMs();
    const refusal = due ? { at: now, search: this.#searchNewer(revision) } : before;
    this.#refused.set(revision, refusal);
    await refusal.search;
    this.#use();
    return this.#used !== null && !this.#refusedNow().has(this.#used) ? 0 : this.#pauseMs();
  }

  /** How long after a search the next may begin: an hour, or a minute after the first that could not read the page, and twice as long each time. */
  #pauseMs(): number {
    return this.#failures === 0 ? hourMs : Math.min(hourMs, minuteMs * 2 ** (this.#failures - 1));
  }

  /** WhatsApp has accepted a connection with this version. */
  accepted(revision: number): void {
    this.#refused.delete(revision);
    if (this.#record.accepted === revision) return;
    this.#keep({ accepted: revision, accepted_at: this.#options.clock.now() });
  }

  /** WhatsApp will stop accepting this version at this time; null when it will not. */
  expires(revision: number, at: number | null): void {
    const { expiring, expires_at } = this.#record;
    if (expiring === revision ? expires_at === at : at === null) return;
    this.#keep({ expiring: at === null ? null : revision, expires_at: at });
    this.#warn();
  }

  /** Stops reading the page. Resolves when everything is stored. */
  async close(): Promise<void> {
    // Not waited for: the page may be slow to answer.
    void this.#looks.stop();
    await this.#written;
  }

  async #searchNewer(refused: number): Promise<void> {
    this.#options.log.warn({ version: versionText(refused) }, 'WhatsApp refuses this version');
    // Another process, such as the command line, may have stored a newer one.
    await this.#reload();
    if (chooseVersion(this.#record, this.#options.override).revision !== refused) return;
    this.#failures = (await this.#fetch()) ? 0 : this.#failures + 1;
  }

  async #begin(): Promise<void> {
    const { clock } = this.#options;
    await this.#reload();
    const age = ageOf(this.#choose(), clock.now());
    const old = age !== null && age > oldAfterMs;
    if (old) await withTimeout(clock, newerMs, this.#fetch(), () => undefined);
    this.#use();
    this.#looks.start();
  }

  async #look(): Promise<void> {
    await this.#reload();
    const { fetched_at } = this.#record;
    if (fetched_at === null || this.#options.clock.now() - fetched_at >= dayMs) await this.#fetch();
    this.#use();
    this.#warn();
  }

  #choose(): ChosenVersion {
    return chooseVersion(this.#record, this.#options.override, this.#refusedNow());
  }

  /** The versions refused within the last hour. */
  #refusedNow(): Set<number> {
    const since = this.#options.clock.monotonic() - hourMs;
    return new Set([...this.#refused].filter(([, { at }]) => at > since).map(([revision]) => revision));
  }

  #use(): void {
    const { revision, source } = this.#choose();
    if (revision === this.#used || this.#looks.stopped) return;
    this.#used = revision;
    this.#options.log.info({ version: versionText(revision), source }, 'WhatsApp connections use this version');
    this.#options.use(revision);
  }

  async #reload(): Promise<void> {
    try {
      this.#record = (await this.#options.store.read()) ?? this.#record;
    } catch (error) {
      this.#options.log.error({ err: error }, 'the WhatsApp version could not be read from the store');
    }
  }

  /** Changes the record at once. If it cannot be stored, the next start has to find it out again. */
  #keep(change: Partial<VersionRecord>): void {
    this.#record = { ...this.#record, ...change };
    const { store, log } = this.#options;
    this.#written = this.#written
      .then(() => store.write(change))
      .catch((error: unknown) => log.error({ err: error }, 'the WhatsApp version could not be stored'));
  }

  /** Warns at most once a day about the same problem. */
  #warn(): void {
    const { clock, log } = this.#options;
    const now = clock.now();
    const version = this.#choose();
    const trouble = versionTrouble(version, now);
    if (trouble === null) return;
    const warning = `${trouble} ${Math.floor(now / dayMs)}`;
    if (warning === this.#warnedOf) return;
    this.#warnedOf = warning;
    log.warn({ version: versionText(version.revision) }, trouble);
  }
}

/** What is wrong with a version, in plain words without a full stop; null when nothing is. */
export function versionTrouble(version: ChosenVersion, now: number): string | null {
  const { expiresAt } = version;
  if (expiresAt !== null) return `WhatsApp will refuse this version from ${new Date(expiresAt).toISOString()}`;
  const age = ageOf(version, now);
  return age !== null && age > oldAfterMs
    ? `the WhatsApp version is ${Math.floor(age / dayMs)} days old; WhatsApp refuses versions when they get old`
    : null;
}
