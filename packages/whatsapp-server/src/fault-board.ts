import type { Faults, MessageFault } from './api.ts';
import type { Directory } from './directory.ts';
import type { PasskeyScript } from './passkey-phone.ts';
import type { Recorder } from './recorder.ts';
import { Rules } from './rules.ts';

type UsyncFault = 'silence' | 'error' | 'device_error' | 'drop';
type UploadFault = 'refuse' | 'cut' | 'hang';
type RotationFault = number | 'cut_before' | 'cut_after';

export interface LoginFailure {
  readonly code: number;
  readonly expireSeconds?: number;
}

/** The rules for faults that tests set; the server checks them before it acts. */
export class FaultBoard implements Faults {
  readonly #directory: Directory;
  readonly #record: Recorder;
  readonly #messages = new Rules<{ from: string; to: string }, MessageFault>();
  readonly #usync = new Rules<readonly string[], UsyncFault>();
  readonly #mediaServers = new Rules<null, 'error'>();
  readonly #uploads = new Rules<null, UploadFault>();
  readonly #downloads = new Rules<null, 'cut' | { hangs(): void }>();
  readonly #settings = new Rules<string, 'error'>();
  readonly #names = new Rules<string, { asked(): void }>();
  readonly #rotations = new Rules<string, RotationFault>();
  readonly #pairings = new Rules<null, 'before' | 'after'>();
  readonly #logins = new Map<string, LoginFailure>();
  readonly #forged = new Map<string, readonly number[]>();
  #refusing = false;
  #bareServer = false;
  #passkey: PasskeyScript | null = null;

  constructor(directory: Directory, record: Recorder) {
    this.#directory = directory;
    this.#record = record;
  }

  onMessage(match: { to?: string; from?: string; times?: number }, fault: MessageFault): void {
    const { to, from, times = 1 } = match;
    this.#messages.add((stanza) => (to === undefined || stanza.to === to) && (from === undefined || stanza.from === from), fault, times);
  }

  onUsync(match: { number?: string; times?: number }, fault: { kind: UsyncFault }): void {
    const { number, times = 1 } = match;
    this.#usync.add((numbers) => number === undefined || numbers.includes(number), fault.kind, times);
  }

  onMediaServers(match: { times?: number }): void {
    this.#mediaServers.add(() => true, 'error', match.times ?? 1);
  }

  onUpload(match: { times?: number }, fault: { kind: UploadFault }): void {
    this.#uploads.add(() => true, fault.kind, match.times ?? 1);
  }

  hangDownload(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#downloads.add(() => true, { hangs: resolve }, 1);
    return promise;
  }

  cutDownloads(times: number): void {
    this.#downloads.add(() => true, 'cut', times);
  }

  silenceName(number: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#names.add((asking) => asking === number, { asked: resolve }, Number.POSITIVE_INFINITY);
    return promise;
  }

  onSettings(number: string): void {
    this.#settings.add((asking) => asking === number, 'error', 1);
  }

  onRotation(number: string, fault: RotationFault): void {
    this.#rotations.add((rotating) => rotating === number, fault, 1);
  }

  onPairing(cut: 'before' | 'after'): void {
    this.#pairings.add(() => true, cut, 1);
  }

  onLogin(number: string, failure: LoginFailure | null): void {
    if (failure) this.#logins.set(number, failure);
    else this.#logins.delete(number);
  }

  forgeKeys(number: string, devices: readonly number[]): void {
    this.#forged.set(number, devices);
  }

  restrictReachOut(number: string, until: number | null): void {
    this.#directory.account(number).restrictReachOut(until);
  }

  capNewChats(number: string, cap: { quota: number; used: number; cycleEndsAt: number } | null, told = true): void {
    this.#directory.account(number).capNewChats(cap === null ? null : { ...cap }, told);
  }

  async end(
    number: string,
    how: { kind: 'drop' } | { kind: 'stream_error'; code: number; conflict?: string } | { kind: 'silence' },
  ): Promise<void> {
    const devices = [...this.#directory.account(number).linked.values()];
    if (!devices.some((device) => device.connected)) throw new Error(`${number} has no live connection`);
    for (const device of devices) device.end(how);
    if (how.kind !== 'silence') await this.#record.until(() => !devices.some((device) => device.connected));
  }

  writeBareServer(bare: boolean): void {
    this.#bareServer = bare;
  }

  get bareServer(): boolean {
    return this.#bareServer;
  }

  refuseConnections(refuse: boolean): void {
    this.#refusing = refuse;
  }

  askPasskey(ask: boolean | PasskeyScript): void {
    this.#passkey = ask === true ? {} : ask === false ? null : ask;
  }

  clear(): void {
    this.#messages.clear();
    this.#usync.clear();
    this.#mediaServers.clear();
    this.#uploads.clear();
    this.#downloads.clear();
    this.#settings.clear();
    this.#names.clear();
    this.#rotations.clear();
    this.#pairings.clear();
    this.#logins.clear();
    this.#forged.clear();
    this.#refusing = false;
    this.#bareServer = false;
    this.#passkey = null;
    for (const account of this.#directory.accounts) {
      if (account.reachOutBlockedUntil !== null) account.restrictReachOut(null);
      if (account.newChatCap !== null) account.capNewChats(null, true);
    }
  }

  forMessage(from: string, to: string): MessageFault | null {
    return this.#messages.take({ from, to });
  }

  forUsync(numbers: readonly string[]): UsyncFault | null {
    return this.#usync.take(numbers);
  }

  areMediaServersRefused(): boolean {
    return this.#mediaServers.take(null) !== null;
  }

  forUpload(): UploadFault | null {
    return this.#uploads.take(null);
  }

  /** Whether the download that has just begun gets no answer, or is cut in the middle. */
  forDownload(): 'hang' | 'cut' | null {
    const fault = this.#downloads.take(null);
    if (fault === null || fault === 'cut') return fault;
    fault.hangs();
    return 'hang';
  }

  areSettingsRefused(number: string): boolean {
    return this.#settings.take(number) !== null;
  }

  isNameSilenced(number: string): boolean {
    const fault = this.#names.take(number);
    fault?.asked();
    return fault !== null;
  }

  forRotation(number: string): RotationFault | null {
    return this.#rotations.take(number);
  }

  forPairing(): 'before' | 'after' | null {
    return this.#pairings.take(null);
  }

  forLogin(number: string): LoginFailure | null {
    return this.#logins.get(number) ?? null;
  }

  areKeysForged(number: string, device: number): boolean {
    return this.#forged.get(number)?.includes(device) === true;
  }

  get refusesConnections(): boolean {
    return this.#refusing;
  }

  get passkeyScript(): PasskeyScript | null {
    return this.#passkey;
  }
}
