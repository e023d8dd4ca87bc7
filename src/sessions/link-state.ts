import type { Act } from '../accounts/index.ts';
import { Changes, type Clock } from '../core/index.ts';
import type { Link, NewChats, Restriction } from '../networks/index.ts';
import type { InstanceRow } from '../store/index.ts';
import type { Attempt } from './attempt.ts';
import { ofThisCycle, storedNewChats } from './new-chats.ts';
import { inForce, storedRestriction } from './restriction.ts';

export type Status = 'open' | 'connecting' | 'close';

/** What is known of one instance's link. Only LinkKeeper changes it. */
export class LinkState {
  readonly #clock: Clock;
  readonly #changes: Changes;
  readonly #changed: () => void;
  #status: Status = 'close';
  /** The link that is open, being opened, or pairing; null while there is none. */
  link: Link | null = null;
  /** Whether credentials are stored for a linked number, also while it is parked or its connection is down. */
  linked: boolean;
  /** True after a scan by a phone whose number is connected on another instance; until the next pairing attempt. */
  conflict: boolean;
  /** Digits of the number that is linked or was linked last; null for one that never paired. */
  phoneNumber: string | null;
  /** The running pairing attempt, or the last one while nothing came after it. */
  attempt: Attempt | null = null;
  /** Who is disconnecting the number right now; null otherwise, also while the instance is being removed. */
  disconnection: Act | null = null;
  /** The last restriction that the network told; it may have ended since. */
  toldRestriction: Restriction | null;
  /** What the network said last of how many chats the number may start; its cycle may have ended. */
  toldNewChats: NewChats | null;

  /** As the row has it; `changed` is called whenever others may see something new. */
  constructor(row: InstanceRow, { clock, changed }: { readonly clock: Clock; readonly changed: () => void }) {
    this.#clock = clock;
    this.#changes = new Changes(clock);
    this.#changed = changed;
    this.linked = row.linked === 1;
    this.conflict = row.conflict === 1;
    this.phoneNumber = row.phone_number;
    this.toldRestriction = storedRestriction(row, clock.now());
    this.toldNewChats = storedNewChats(row, clock.now());
  }

  get status(): Status {
    return this.#status;
  }

  /** The restriction that holds right now. */
  get restriction(): Restriction | null {
    return inForce(this.toldRestriction, this.#clock.now());
  }

  /** How many chats the number may start in this cycle, and has started; null when the network has not told. */
  get newChats(): NewChats | null {
    return ofThisCycle(this.toldNewChats, this.#clock.now());
  }

  /** True while another program uses the number's credentials. They are kept, and no link is opened until a user takes the number back. */
  get parked(): boolean {
    return this.linked && this.toldRestriction?.reason === 'replaced';
  }

  /** Sets the status and wakes everything that waits in `until`. */
  become(status: Status): void {
    this.#status = status;
    this.#changes.tell();
    this.#changed();
  }

  /** Resolves when the condition over this state holds, or the time is up. */
  until(condition: () => boolean, waitMs: number): Promise<void> {
    return this.#changes.until(condition, waitMs);
  }
}
