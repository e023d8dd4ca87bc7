import type { BoundedCache } from '../library/bounded-cache.ts';
import { spaceOf } from './people.ts';
import type { Recipients } from './recipients.ts';
import type { SendingLog } from './socket.ts';

/** A message that reached fewer devices than the network knows. */
export interface Missed {
  readonly id: string;
  readonly to: string;
  /** Addresses of the devices it was meant for. */
  readonly had: readonly string[];
  /** Whether it is being completed right now. */
  underWay: boolean;
}

interface MissedDevicesOptions {
  /** By message; each for as long as the network takes it for more devices. Outlives the connection. */
  readonly missed: BoundedCache<Missed>;
  readonly recipients: Recipients;
  readonly log: SendingLog;
  /** Sends the message to these devices only, named by their addresses; false when it may not have arrived. Never rejects. */
  sendTo(id: string, to: string, addresses: ReadonlySet<string>): Promise<boolean>;
}

/**
 * Sends messages to devices that were not known when they were sent. The network tells of such a message by a `phash` in its acknowledgement, which it
 * adds only when its own list of devices differs; the list is then asked for anew, and devices that are new on it get the message under the same id.
 */
export class MissedDevices {
  readonly #options: MissedDevicesOptions;

  constructor(options: MissedDevicesOptions) {
    this.#options = options;
  }

  /** The acknowledgement of this message says that there are other devices. */
  told(id: string, to: string, had: readonly string[]): void {
    const missed: Missed = { id, to, had, underWay: false };
    this.#options.missed.set(id, missed);
    void this.#complete(missed);
  }

  /** The connection is logged in: what an earlier one could not finish is done now. */
  opened(): void {
    for (const missed of this.#options.missed.values()) if (!missed.underWay) void this.#complete(missed);
  }

  async #complete(entry: Missed): Promise<void> {
    const { missed, recipients, log, sendTo } = this.#options;
    const { id, to } = entry;
    entry.underWay = true;
    try {
      await recipients.forget(await recipients.person(to));
      await recipients.forget(recipients.me);
      const users = await Promise.all([recipients.user(to), recipients.own(spaceOf(to))]);
      const devices = users.flatMap((user) => (user === 'no_device' ? [] : user.devices));
      const fresh = new Set(devices.map(({ address }) => address).filter((address) => !entry.had.includes(address)));
      if (fresh.size === 0 || (await sendTo(id, to, fresh))) missed.delete(id);
    } catch (error) {
      log.warn({ err: error }, 'the devices of a recipient could not be looked up anew');
    } finally {
      entry.underWay = false;
    }
  }
}
