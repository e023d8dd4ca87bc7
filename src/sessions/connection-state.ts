import { type Clock, Signal } from '../core/index.ts';
import type { Link, NewChats, Restriction } from '../networks/index.ts';
import type { InstanceRow, LinkStatus } from '../store/index.ts';
import { Attempt } from './attempt.ts';
import { inForce, ofThisCycle, reportedNewChats, storedRestriction } from './network-limits.ts';

export type Status = LinkStatus;

export class ConnectionState {
  readonly #clock: Clock;
  readonly #changes: Signal;
  readonly #changed: () => void;
  #status: Status = 'close';
  /** The connection that is open, being opened, or pairing; null while there is none. */
  connection: Link | null = null;
  /** True when none will be opened any more. */
  stopped = false;
  /** Whether credentials of a linked number are stored. Also true while it is parked or disconnected. */
  linked: boolean;
  /** True after a phone scanned whose number is already connected on another instance, until the next pairing attempt. */
  conflict: boolean;
  /** Digits of the linked number, or of the last one that was; null when none ever was. */
  phoneNumber: string | null;
  /** The current pairing attempt, or the last one until the number is linked or another attempt starts. */
  attempt: Attempt | null = null;
  /** True until the first login after a scan has been stored: until then the number is compared with those of other instances. */
  firstLogin: boolean;
  /** The last restriction that the network reported; it may have ended since. */
  reportedRestriction: Restriction | null;
  /** The last quota of new chats that the network reported; its cycle may have ended. */
  reportedNewChats: NewChats | null;

  /** Starts with the state in the row. `changed` is called whenever the visible state may have changed. */
  constructor(row: InstanceRow, { clock, changed }: { readonly clock: Clock; readonly changed: () => void }) {
    this.#clock = clock;
    this.#changes = new Signal(clock);
    this.#changed = changed;
    this.linked = row.linked === 1;
    this.conflict = row.conflict === 1;
    this.phoneNumber = row.phone_number;
    this.reportedRestriction = storedRestriction(row, clock.now());
    this.reportedNewChats = reportedNewChats(row, clock.now());
    this.firstLogin = this.linked && row.linked_at === null;
    if (this.firstLogin && !this.parked) this.attempt = new Attempt({ kind: 'system' });
  }

  get status(): Status {
    return this.#status;
  }

  get restriction(): Restriction | null {
    return inForce(this.reportedRestriction, this.#clock.now());
  }

  /** How many chats the network lets the number start in this cycle, and how many it has started; null when that is not known. */
  get newChats(): NewChats | null {
    return ofThisCycle(this.reportedNewChats, this.#clock.now());
  }

  /** True while another program uses the number's credentials. They are kept, and nothing connects until a user reconnects the number. */
  get parked(): boolean {
    return this.linked && this.reportedRestriction?.reason === 'replaced';
  }

  /** Sets the status and wakes every `until`. */
  become(status: Status): void {
    this.#status = status;
    this.#changes.notify();
    this.#changed();
  }

  /** What is shown besides the status may have changed. */
  changed(): void {
    this.#changed();
  }

  /** Resolves when the condition is true or the time is up. */
  until(condition: () => boolean, waitMs: number): Promise<void> {
    return this.#changes.until(condition, waitMs);
  }
}
