import type { Ceremony } from './api.ts';
import { Authenticator } from './authenticator.ts';
import { ContactTokens } from './contact-tokens.ts';
import type { Device } from './device.ts';
import { lidOf } from './jids.ts';
import type { LinkedDevice } from './linked-device.ts';
import { capNotice, type NewChatCap, timelockNotice } from './reach-out.ts';
import type { createSettings } from './settings.ts';
import type { SimulatedDevice } from './simulated-device.ts';

/** One number on the network with its devices. */
export class Account {
  readonly number: string;
  /** The user part of the account's LID; changes with `renewLid`. */
  lid: string;
  /** The phone, simulated by the server. */
  readonly phone: SimulatedDevice;
  /** Devices linked by code, by device id. */
  readonly linked = new Map<number, LinkedDevice>();
  /** The numbers with which this one has exchanged messages. */
  readonly chats = new Set<string>();
  /** Whether the account has a LID; without one it is addressed by number in every account. */
  hasLid = true;
  onNetwork = true;
  hasDevices = true;
  /** Whether the simulated devices have uploaded keys. */
  hasKeys = true;
  answersAs: string | null = null;
  /** The last linking with a passkey; null if there was none. */
  ceremony: Ceremony | null = null;
  #authenticator: Authenticator | null = null;
  /** The settings that the phone shares with its companions; null if there are none. */
  settings: ReturnType<typeof createSettings> | null = null;
  /** The account's tokens, which show that it knows others. */
  readonly tokens = new ContactTokens();
  /** Whether the account is addressed by LID, which it tells companions that link. */
  migrated: boolean;
  tellsMigration = true;
  readonly #createDevice: (account: Account, id: number) => SimulatedDevice;
  #companions: SimulatedDevice[] = [];
  #lastDeviceId = 0;
  #reachOutBlockedUntil: number | null = null;
  #newChatCap: NewChatCap | null = null;

  constructor(number: string, migrated: boolean, createDevice: (account: Account, id: number) => SimulatedDevice) {
    this.number = number;
    this.migrated = migrated;
    this.lid = lidOf(number);
    this.#createDevice = createDevice;
    this.phone = createDevice(this, 0);
  }

  /** The account's passkey, created on first use. */
  get authenticator(): Authenticator {
    this.#authenticator ??= new Authenticator();
    return this.#authenticator;
  }

  get devices(): Device[] {
    return this.onNetwork && this.hasDevices ? [this.phone, ...this.#companions, ...this.linked.values()] : [];
  }

  device(id: number): Device | null {
    return this.devices.find((device) => device.id === id) ?? null;
  }

  /** Device ids are never reused, so that an old Signal session cannot meet a new device. */
  nextDeviceId(): number {
    this.#lastDeviceId += 1;
    return this.#lastDeviceId;
  }

  /** Changes the number of simulated companions. Returns the devices that were added and removed. */
  setCompanions(count: number): { added: Device[]; removed: Device[] } {
    const removed = this.#companions.splice(count);
    const added = Array.from({ length: count - this.#companions.length }, () => this.#createDevice(this, this.nextDeviceId()));
    this.#companions.push(...added);
    return { added, removed };
  }

  get reachOutBlockedUntil(): number | null {
    return this.#reachOutBlockedUntil;
  }

  restrictReachOut(until: number | null): void {
    this.#reachOutBlockedUntil = until;
    for (const device of this.linked.values()) device.tellOfAccount(timelockNotice(this));
  }

  get newChatCap(): NewChatCap | null {
    return this.#newChatCap;
  }

  capNewChats(cap: NewChatCap | null, told: boolean): void {
    this.#newChatCap = cap;
    if (!told) return;
    for (const device of this.linked.values()) device.tellOfAccount(capNotice(this));
  }
}
