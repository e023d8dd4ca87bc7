import type { BinaryNode } from 'baileys';
import type { Envelope, Question, Record_, Stanza } from './api.ts';
import { defaultWaitMs, within } from './deadline.ts';
import type { Directory } from './directory.ts';

/** The record for assertions. The parts of the server write it; tests read it through `Record_`. */
export class Recorder implements Record_ {
  readonly #directory: Directory;
  readonly #keepStanzas: boolean;
  readonly #neverOnline: boolean;
  readonly #listeners = new Set<() => void>();
  readonly #logins = new Map<string, number>();
  readonly #loggingIn = new Set<unknown>();
  readonly #awaited = new Map<string, Stanza>();
  readonly #retriesAcknowledged = new Map<string, number>();
  readonly #lidQuestions = new Map<string, number>();
  readonly #keyUploads = new Map<string, number>();
  #mostLoginsAtOnce = 0;
  readonly stanzas: Stanza[] = [];
  readonly envelopes: Envelope[] = [];
  readonly questions: Question[] = [];
  readonly issuedTokens: { from: string; to: string }[] = [];
  readonly incomplete: (Stanza & { missing: readonly string[]; unknown: readonly string[] })[] = [];
  readonly problems: string[] = [];
  readonly withoutToken: Stanza[] = [];
  readonly receipts: (Stanza & { type: string })[] = [];
  readonly rotations: Record_['rotations'][number][] = [];
  readonly presences: Record_['presences'][number][] = [];
  readonly logouts: string[] = [];
  readonly resends: (Stanza & { count: number; devices: readonly string[] })[] = [];
  messages = 0;
  uploads = 0;

  constructor(options: { directory: Directory; keepStanzas: boolean; neverOnline: boolean }) {
    this.#directory = options.directory;
    this.#keepStanzas = options.keepStanzas;
    this.#neverOnline = options.neverOnline;
  }

  linked(): readonly string[] {
    return this.#directory.accounts.filter((account) => account.linked.size > 0).map((account) => account.number);
  }

  connected(): readonly string[] {
    const isConnected = (device: { connected: boolean }) => device.connected;
    return this.#directory.accounts.filter((account) => [...account.linked.values()].some(isConnected)).map((account) => account.number);
  }

  get mostLoginsAtOnce(): number {
    return this.#mostLoginsAtOnce;
  }

  resetMostLoginsAtOnce(): void {
    this.#mostLoginsAtOnce = this.#loggingIn.size;
  }

  logins(number: string): number {
    return this.#logins.get(number) ?? 0;
  }

  loginStarted(connection: unknown): void {
    this.#loggingIn.add(connection);
    this.#mostLoginsAtOnce = Math.max(this.#mostLoginsAtOnce, this.#loggingIn.size);
    this.changed();
  }

  /** The connection is no longer logging in: it was let in, refused or closed, or it was no login. */
  loginOver(connection: unknown): void {
    if (this.#loggingIn.delete(connection)) this.changed();
  }

  loggedIn(number: string): void {
    this.#logins.set(number, this.logins(number) + 1);
    this.changed();
  }

  stanza(stanza: Stanza): void {
    this.messages += 1;
    if (this.#keepStanzas) this.stanzas.push(stanza);
    this.changed();
  }

  envelope(envelope: Envelope): void {
    if (this.#keepStanzas) this.envelopes.push(envelope);
  }

  /** A device has given somebody its account's token. */
  issued(from: string, to: string): void {
    this.issuedTokens.push({ from, to });
    this.changed();
  }

  question(question: Question): void {
    if (this.#keepStanzas) this.questions.push(question);
    this.changed();
  }

  misdirected(stanza: Stanza, missing: readonly string[], unknown: readonly string[]): void {
    this.incomplete.push({ ...stanza, missing, unknown });
    this.changed();
  }

  retriesAcknowledged(messageId: string): number {
    return this.#retriesAcknowledged.get(messageId) ?? 0;
  }

  retryAcknowledged(messageId: string): void {
    this.#retriesAcknowledged.set(messageId, this.retriesAcknowledged(messageId) + 1);
    this.changed();
  }

  lidQuestions(number: string): number {
    return this.#lidQuestions.get(number) ?? 0;
  }

  lidAsked(number: string): void {
    this.#lidQuestions.set(number, this.lidQuestions(number) + 1);
    this.changed();
  }

  uploadsOfKeys(number: string): number {
    return this.#keyUploads.get(number) ?? 0;
  }

  keysUploaded(number: string): void {
    this.#keyUploads.set(number, this.uploadsOfKeys(number) + 1);
    this.changed();
  }

  /** A message was sent again to some devices. Those that it had missed have it now. */
  resent(resend: Stanza & { count: number; devices: readonly string[] }): void {
    if (this.#keepStanzas) this.resends.push(resend);
    for (const [place, entry] of [...this.incomplete.entries()].reverse()) {
      if (entry.id !== resend.id || entry.from !== resend.from) continue;
      const missing = entry.missing.filter((device) => !resend.devices.includes(device));
      if (missing.length === 0) this.incomplete.splice(place, 1);
      else this.incomplete[place] = { ...entry, missing };
    }
    this.changed();
  }

  rotation(rotation: Record_['rotations'][number]): void {
    this.rotations.push(rotation);
    this.changed();
  }

  problem(text: string): void {
    this.problems.push(text);
    this.changed();
  }

  receipt(receipt: Stanza & { type: string }): void {
    if (this.#keepStanzas) this.receipts.push(receipt);
    this.changed();
  }

  get awaited(): readonly Stanza[] {
    return [...this.#awaited.values()];
  }

  /** A device with this JID has asked for a message again. */
  askedAgain(device: string, stanza: Stanza): void {
    this.#awaited.set(`${device} ${stanza.from} ${stanza.id}`, stanza);
    this.changed();
  }

  /** The device has the message. */
  arrived(device: string, stanza: Stanza): void {
    if (this.#awaited.delete(`${device} ${stanza.from} ${stanza.id}`)) this.changed();
  }

  /** A device has told its presence; `number` is null before its login. */
  presence(number: string | null, { attrs }: BinaryNode): void {
    const type = attrs.type ?? null;
    this.presences.push({ number, type, name: attrs.name ?? null });
    if (this.#neverOnline && isOnline(type)) this.problem(`a linked device of ${number ?? 'nobody yet'} appeared online`);
    this.changed();
  }

  /** Throws when a device appeared online, so that no test that ends its server misses it. */
  assertNeverOnline(): void {
    const online = this.presences.filter(({ type }) => isOnline(type)).length;
    if (this.#neverOnline && online > 0) throw new Error(`linked devices appeared online ${online} times`);
  }

  logout(number: string): void {
    this.logouts.push(number);
    this.changed();
  }

  upload(): void {
    this.uploads += 1;
    this.changed();
  }

  /** The record, or something that it depends on, has changed. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Resolves with the next change. Must be called before looking at the record, so that no change is missed in between. */
  nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const listener = () => {
        this.#listeners.delete(listener);
        resolve();
      };
      this.#listeners.add(listener);
    });
  }

  async until(condition: () => boolean, timeoutMs: number = defaultWaitMs): Promise<void> {
    if (condition()) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const listener = () => {
      try {
        if (condition()) resolve();
      } catch (error) {
        reject(error);
      }
    };
    this.#listeners.add(listener);
    try {
      await within(promise, timeoutMs, `until ${condition}`);
    } finally {
      this.#listeners.delete(listener);
    }
  }
}

/** Whether a presence of this type makes a device appear online. */
function isOnline(type: string | null): boolean {
  return type === null || type === 'available';
}
