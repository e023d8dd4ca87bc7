import { setTimeout as sleep } from 'node:timers/promises';
import { proto } from 'baileys';
import type { Account } from './account.ts';
import type { Ceremony, Person, PersonChange, ReceivedMessage } from './api.ts';
import type { Authenticator } from './authenticator.ts';
import { busyStanzas } from './busy-phone.ts';
import { timerOf } from './chat-timer.ts';
import type { Screen } from './companion-refresh.ts';
import { defaultWaitMs, within } from './deadline.ts';
import type { Directory } from './directory.ts';
import type { FaultBoard } from './fault-board.ts';
import { type HistoryPiece, historyBlob, inlineHistory } from './history.ts';
import type { InboxEntry } from './inbox.ts';
import { lidOf } from './jids.ts';
import type { LoginDesk } from './login-desk.ts';
import { openMedia } from './media-content.ts';
import type { MediaStore } from './media-store.ts';
import { nowSeconds } from './nodes.ts';
import { newId } from './outbox.ts';
import type { Pairing } from './pairing.ts';
import { type QrContent, readQrCode } from './qr-code.ts';
import type { Recorder } from './recorder.ts';
import { createSettings, nameCollection, saltCollection } from './settings.ts';

export interface PersonOptions {
  readonly account: Account;
  readonly directory: Directory;
  readonly faults: FaultBoard;
  readonly record: Recorder;
  readonly logins: LoginDesk;
  readonly media: MediaStore;
  readonly screens: readonly Screen[];
}

/** How often a phone looks at a screen for the code that it has to scan again, in milliseconds. */
const lookMs = 20;

/** The code has changed, and the phone has to scan it again. */
export class ScanAgain extends Error {
  constructor() {
    super('the network has asked for a new code; scan again');
  }
}

/** The owner of a number, with a phone. */
export class SimulatedPerson implements Person {
  readonly number: string;
  readonly #options: PersonOptions;

  constructor(options: PersonOptions) {
    this.number = options.account.number;
    this.#options = options;
  }

  get lid(): string {
    return this.#options.account.lid;
  }

  async scan(code: string, again?: () => Promise<string>): Promise<void> {
    const first = readQrCode(code);
    const pairing = this.#options.logins.pairingThatShows(first);
    if (!pairing) throw new Error('no open pairing attempt shows this code');
    const qr = pairing.scanned(first) ? await this.#scanAgain(pairing, again) : first;
    await this.#link(pairing, qr.advSecret);
  }

  async #scanAgain(pairing: Pairing, again: (() => Promise<string>) | undefined): Promise<QrContent> {
    const qr = again === undefined ? await this.#seenAgain(pairing) : readQrCode(await again());
    pairing.scanned(qr);
    return qr;
  }

  /** The new code, as soon as a screen shows it. */
  async #seenAgain(pairing: Pairing): Promise<QrContent> {
    const { screens, logins } = this.#options;
    if (screens.length === 0) throw new ScanAgain();
    for (const end = Date.now() + defaultWaitMs; Date.now() < end; await sleep(lookMs)) {
      const qr = logins.codeToScanAgain(
        pairing,
        screens.flatMap((screen) => [...screen()]),
      );
      if (qr !== null) return qr;
      if (pairing.closed) throw new Error('the connection of the pairing attempt was closed');
    }
    throw new ScanAgain();
  }

  async enterPairingCode(code: string): Promise<void> {
    const { logins, record, account } = this.#options;
    await record.until(() => logins.pairingThatWaitsFor(this.number) !== null);
    const pairing = logins.pairingThatWaitsFor(this.number);
    if (!pairing) throw new Error(`no pairing attempt waits for ${this.number}`);
    const exchange = within(pairing.agreeByCode(account, code), defaultWaitMs, `a code typed for ${this.number}`);
    await this.#link(pairing, await exchange);
  }

  async refreshPairingCode({ manually = false } = {}): Promise<void> {
    const { logins, record } = this.#options;
    await record.until(() => logins.pairingThatWaitsFor(this.number) !== null);
    logins.pairingThatWaitsFor(this.number)?.refreshCode(manually);
  }

  async unlink(): Promise<void> {
    const { account, directory, record } = this.#options;
    const devices = [...account.linked.values()];
    if (devices.length === 0) throw new Error(`${this.number} has no linked device`);
    account.linked.clear();
    for (const device of devices) device.end({ kind: 'stream_error', code: 401, conflict: 'device_removed' });
    directory.tellDevices(account, 'remove', devices);
    await record.until(() => !devices.some((device) => device.connected));
  }

  async received(): Promise<readonly ReceivedMessage[]> {
    return (await this.#options.account.phone.entries()).map((entry) => this.#shown(entry));
  }

  async everReceived(): Promise<readonly ReceivedMessage[]> {
    const former = this.#options.account.phone.formerEntries.map((entry) => this.#shown(entry));
    return [...former, ...(await this.received())];
  }

  async nextReceived(match: (message: ReceivedMessage) => boolean, timeoutMs: number = defaultWaitMs): Promise<ReceivedMessage> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const arrived = this.#options.record.nextChange();
      const found = (await this.received()).find(match);
      if (found) return found;
      await within(arrived, Math.max(1, deadline - Date.now()), `a message to ${this.number} matching ${match}`);
    }
  }

  send(to: string, text: string): Promise<string> {
    return this.sendMessage(to, { conversation: text });
  }

  async fetchKeysOf(number: string): Promise<void> {
    const { account, directory } = this.#options;
    for (const device of directory.account(number).linked.values()) await account.phone.fetchKeysOf(device);
  }

  sendMessage(to: string, message: proto.IMessage): Promise<string> {
    const { account, directory } = this.#options;
    return account.phone.send(directory.account(to), message);
  }

  setTimer(to: string, expiration: number, setAt = Number(nowSeconds())): Promise<string> {
    const type = proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING;
    const protocolMessage = { type, ephemeralExpiration: expiration, ephemeralSettingTimestamp: setAt };
    return this.sendMessage(to, { ephemeralMessage: { message: { protocolMessage } } });
  }

  setDefaultTimer(expiration: number): void {
    const { account, directory } = this.#options;
    for (const number of account.chats) {
      for (const device of directory.account(number).linked.values()) device.tellDefaultTimer(account, expiration);
    }
  }

  async migrate(): Promise<void> {
    const { account } = this.#options;
    account.migrated = true;
    const chatDbMigrationTimestamp = Math.floor(Date.now() / 1000);
    const encodedMappingPayload = proto.LIDMigrationMappingSyncPayload.encode({ pnToLidMappings: [], chatDbMigrationTimestamp }).finish();
    const type = proto.Message.ProtocolMessage.Type.LID_MIGRATION_MAPPING_SYNC;
    await account.phone.send(account, { protocolMessage: { type, lidMigrationMappingSyncMessage: { encodedMappingPayload } } });
  }

  get salt(): Buffer | null {
    return this.#options.account.tokens.salt;
  }

  set salt(salt: Buffer | null) {
    this.#options.account.tokens.salt = salt;
  }

  changeSalt(salt: Buffer | null, { told = true } = {}): void {
    const { account } = this.#options;
    account.tokens.salt = salt;
    account.settings ??= createSettings();
    const settings = account.settings[saltCollection];
    settings.changeSalt(salt);
    if (told) for (const device of account.linked.values()) device.tellSettings(saltCollection, settings.version);
  }

  changeName(name: string): void {
    const { account } = this.#options;
    account.settings ??= createSettings();
    const settings = account.settings[nameCollection];
    settings.changeName(name);
    for (const device of account.linked.values()) device.tellSettings(nameCollection, settings.version);
  }

  async shareSettingsKey(): Promise<void> {
    const { account } = this.#options;
    account.settings ??= createSettings();
    const message = account.settings[saltCollection].keyShare();
    for (const device of account.linked.values()) await account.phone.handOver(device, message);
  }

  async giveToken(number: string, how: { at?: number; along?: string; told?: boolean } = {}): Promise<Buffer> {
    const { account, directory } = this.#options;
    const to = directory.account(number);
    const { at = Math.floor(Date.now() / 1000), along, told = true } = how;
    const token = to.tokens.give(account, at);
    if (along !== undefined) await account.phone.send(to, { conversation: along }, token);
    else if (told) for (const device of to.linked.values()) device.tellToken(account, token);
    return token.bytes;
  }

  async handHistory(piece: HistoryPiece, as: 'inline' | 'blob'): Promise<void> {
    const { account, media } = this.#options;
    const message = as === 'inline' ? inlineHistory(piece) : await historyBlob(piece, media);
    for (const device of account.linked.values()) await account.phone.handOver(device, message);
  }

  renewLid(): void {
    const { account, directory } = this.#options;
    directory.renewLid(account, lidOf(`${account.lid} renewed`));
  }

  is(change: PersonChange): void {
    const { account, directory } = this.#options;
    if (change.migrated !== undefined) account.migrated = change.migrated;
    if (change.lidMigrated !== undefined) {
      account.tellsMigration = change.lidMigrated !== null;
      account.migrated = change.lidMigrated ?? account.migrated;
    }

    if (change.onNetwork !== undefined) account.onNetwork = change.onNetwork;
    if (change.hasLid !== undefined) account.hasLid = change.hasLid;
    if (change.hasKeys !== undefined) account.hasKeys = change.hasKeys;
    if (change.hasDevices !== undefined) account.hasDevices = change.hasDevices;
    if (change.answersAs !== undefined) account.answersAs = change.answersAs;
    if (change.away !== undefined) account.phone.away = change.away;
    if (change.companions === undefined) return;
    const { added, removed } = account.setCompanions(change.companions);
    if (change.silently === true) return;
    directory.tellDevices(account, 'add', added);
    directory.tellDevices(account, 'remove', removed);
  }

  losesKeys(): void {
    for (const device of this.#options.account.linked.values()) device.keys.lose();
  }

  nudges(about: 'few_keys' | 'account_sync' | 'dirty'): void {
    for (const device of this.#options.account.linked.values()) device.tellNudge(about);
  }

  isBusy(stanzas: number): void {
    for (const device of this.#options.account.linked.values()) for (const node of busyStanzas(stanzas)) device.post(node);
  }

  getsUnavailable(from: string): void {
    const attrs = { id: newId(), from: `${from}@s.whatsapp.net`, type: 'text', t: nowSeconds() };
    const node = { tag: 'message', attrs, content: [{ tag: 'unavailable', attrs: {} }] };
    for (const device of this.#options.account.linked.values()) device.post(node);
  }

  get unacknowledged(): number {
    return [...this.#options.account.linked.values()].reduce((sum, device) => sum + device.undelivered, 0);
  }

  reinstall({ silently = false } = {}): void {
    const { account, directory } = this.#options;
    if (account.linked.size > 0) throw new Error(`${this.number} has linked devices, which a new installation would end`);
    account.phone.reinstall();
    if (!silently) directory.tellIdentity(account);
  }

  async askFor(from: string, messageId: string, { afresh = false } = {}): Promise<void> {
    const { account, directory } = this.#options;
    for (const device of directory.account(from).linked.values()) {
      if (afresh) account.phone.askAfresh(device, messageId);
      else await account.phone.askFor(device, messageId);
    }
  }

  reads(from: string, messageId: string): void {
    const { account, directory } = this.#options;
    for (const device of directory.account(from).linked.values()) account.phone.reads(device, messageId);
  }

  get ceremony(): Ceremony {
    const { ceremony } = this.#options.account;
    if (ceremony === null) throw new Error(`no passkey of ${this.number} was asked for`);
    return ceremony;
  }

  get authenticator(): Authenticator {
    return this.#options.account.authenticator;
  }

  async #link(pairing: Pairing, secret: Buffer): Promise<void> {
    const { faults, record, account } = this.#options;
    const finish = async (advSecret: Buffer) => {
      const device = await within(pairing.link(account, advSecret), defaultWaitMs, `linking a device to ${this.number}`);
      await record.until(() => device.connected);
    };
    if (faults.passkeyScript === null) return finish(secret);
    const linked = Promise.withResolvers<void>();
    linked.promise.catch(() => undefined);
    const phone = pairing.askPasskey(account, faults.passkeyScript, secret, (advSecret) => {
      finish(advSecret).then(linked.resolve, linked.reject);
    });
    account.ceremony = { code: phone.code, linked: linked.promise };
    throw new Error('the network asks for a passkey before it links this device');
  }

  #shown({ parcel, message, times }: InboxEntry): ReceivedMessage {
    const { id, from, to, extras, reportingToken } = parcel;
    const media = () => openMedia(this.#options.media, message);
    return { id, from: from.account.number, to: to.number, times, message, extras, reportingToken, timer: timerOf(message), media };
  }
}
