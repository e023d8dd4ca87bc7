import type { BoundedCache } from '../../library/bounded-cache.ts';
import { spaceOf } from '../people.ts';
import type { Recipients } from '../recipients.ts';
import type { SendingLog } from '../socket.ts';

/** A message that went to fewer devices than the network knows. */
export interface Missed {
  readonly id: string;
  readonly to: string;
  /** Addresses of the devices that it was sent to. */
  readonly had: readonly string[];
  /** Whether it is being sent to the others right now. */
  underWay: boolean;
}

interface MissedDevicesOptions {
  /** By message. Each is kept for as long as the network accepts the message for more devices. Outlives the connection. */
  readonly missed: BoundedCache<Missed>;
  readonly recipients: Recipients;
  readonly log: SendingLog;
  /** Sends the message only to the devices with these addresses; false when it may not have arrived. Never rejects. */
  sendTo(id: string, to: string, addresses: ReadonlySet<string>): Promise<boolean>;
}

/**
 * Sends messages to devices that were not known when they were first sent. The network adds a `phash` to an acknowledgement only when its own list of
 * devices differs. The list is then fetched again, and devices that are new on it get the message with the same id.
 */
export class MissedDevices {
  readonly #options: MissedDevicesOptions;

  constructor(options: MissedDevicesOptions) {
    this.#options = options;
  }

  /** The acknowledgement of this message says that there are further devices. */
  told(id: string, to: string, had: readonly string[]): void {
    const missed: Missed = { id, to, had, underWay: false };
    this.#options.missed.set(id, missed);
    void this.#complete(missed);
  }

  /** The connection is logged in. Continues what an earlier connection could not finish. */
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
      log.warn({ err: error }, 'the devices of a recipient could not be looked up again');
    } finally {
      entry.underWay = false;
    }
  }
}
