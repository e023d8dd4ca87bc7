import { statfs } from 'node:fs/promises';
import { isFailure } from '../../core/index.ts';
import { nearlyFullBytes, writesFailingMs } from '../../health/index.ts';
import { chooseVersion, nothingKnown, versionTrouble } from '../../networks/index.ts';
import { sumOfPendingWrites } from '../../outbox/index.ts';
import { createClientVersions, type RequestRecord, type Store } from '../../store/index.ts';
import type { MachineCondition } from './conditions.ts';

export interface Watch {
  readonly condition: MachineCondition;
  /** Of this server, or of the installation, whose servers all measure the same. */
  readonly of: 'server' | 'installation';
  /**
   * Why the condition is true, in plain words without a full stop; null: it is not. `lasting`: it was true at the last look. A condition ends only
   * when it is clearly over, so that it does not begin again and again.
   */
  look(now: number, lasting: boolean): Promise<string | null> | string | null;
}

const mib = 1024 * 1024;
const roomAgainBytes = 1.25 * nearlyFullBytes;

/** Little room is left where the server keeps its files. */
export function diskWatch(folder: string, freeBytes: (folder: string) => Promise<number> = freeIn): Watch {
  return {
    condition: 'disk_nearly_full',
    of: 'server',
    async look(_now, lasting) {
      const free = await freeBytes(folder);
      if (free >= (lasting ? roomAgainBytes : nearlyFullBytes)) return null;
      return `${Math.floor(free / mib).toLocaleString('en')} MiB are free in ${folder}`;
    },
  };
}

/** Writes fail: the oldest pending one has been retried for five minutes. */
export function pendingWritesWatch(db: Store['db']): Watch {
  return {
    condition: 'writes_failing',
    of: 'installation',
    async look(now) {
      const { oldestAt } = await sumOfPendingWrites(db);
      if (oldestAt === null || now - oldestAt < writesFailingMs) return null;
      return `some have been pending since ${new Date(oldestAt).toISOString()}`;
    },
  };
}

/** The version that numbers connect to WhatsApp with is old, or WhatsApp has announced its end. `override`: the version that the settings fix. */
export function clientVersionWatch(db: Store['db'], override: number | null): Watch {
  const versions = createClientVersions(db, 'whatsapp');
  return {
    condition: 'client_version_ending',
    // A version that the settings fix may be this server's alone; any other is the same for all.
    of: override === null ? 'installation' : 'server',
    async look(now) {
      const record = await versions.read();
      if (record === null && override === null) return null;
      return versionTrouble(chooseVersion(record ?? nothingKnown, override), now);
    },
  };
}

async function freeIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

const minuteMs = 60_000;
const windowMinutes = 10;
/** With fewer sends a rate means nothing. */
const fewestSends = 20;

interface Minute {
  readonly minute: number;
  sends: number;
  failed: number;
}

/** How many of this server's sends of the last ten minutes failed with 5xx. */
export class ErrorRate implements Watch {
  readonly condition = 'error_rate_high';
  readonly of = 'server';
  /** A share of the sends, 0 to 1; it is high from here on, and until it has fallen to half of it. */
  readonly #bound: number;
  readonly #minutes: Minute[] = [];

  constructor(bound: number) {
    this.#bound = bound;
  }

  /** To be called with every answer. */
  readonly answered = ({ record }: { readonly record: Pick<RequestRecord, 'at' | 'message_type' | 'status'> }): void => {
    if (record.message_type === null) return;
    const minute = Math.floor(record.at / minuteMs);
    let last = this.#minutes.at(-1);
    if (last?.minute !== minute) {
      last = { minute, sends: 0, failed: 0 };
      this.#minutes.push(last);
      while (this.#minutes.length > windowMinutes) this.#minutes.shift();
    }
    last.sends++;
    if (isFailure(record.status)) last.failed++;
  };

  look(now: number, lasting: boolean): string | null {
    const first = Math.floor(now / minuteMs) - windowMinutes;
    const recent = this.#minutes.filter(({ minute }) => minute > first);
    const sends = recent.reduce((sum, minute) => sum + minute.sends, 0);
    const failed = recent.reduce((sum, minute) => sum + minute.failed, 0);
    if (sends < fewestSends || failed / sends < (lasting ? this.#bound / 2 : this.#bound)) return null;
    return `${failed} of ${sends} sends of the last ${windowMinutes} minutes failed`;
  }
}

/** So many failures in a row are the server's fault and not that of one mail. */
const enoughFailures = 2;
/** A failure counts for so long if nothing is tried after it. */
const failureCountsMs = 60 * 60_000;

/** Whether the mail server takes mails, as the last ones showed. */
export class MailWatch implements Watch {
  readonly condition = 'mail_unreachable';
  readonly of = 'server';
  readonly #now: () => number;
  #failures = 0;
  #failedAt = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** To be called with whether the mail server took a mail. */
  readonly tried = (taken: boolean): void => {
    this.#failures = taken ? 0 : this.#failures + 1;
    if (!taken) this.#failedAt = this.#now();
  };

  look(now: number): string | null {
    if (this.#failures < enoughFailures || now - this.#failedAt > failureCountsMs) return null;
    return `the last ${this.#failures} mails could not be handed over`;
  }
}
