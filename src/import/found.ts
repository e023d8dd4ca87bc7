import type { ImportedNumber } from '../networks/whatsapp/imported-number.ts';

/** So many numbers can be imported at once. */
export const mostNumbers = 10_000;

/** What is not taken, and how many of it. */
export interface Left {
  /** Keys of groups: the gateway sends nothing to them. */
  readonly groupKeys: number;
  /** Signal sessions in another form, or damaged: they begin anew with the next message. */
  readonly sessions: number;
  /** Other values that cannot be read. */
  readonly unreadable: number;
}

/** A number in the store of another program. */
export type Found = { readonly source: string; readonly stamp: string } & (
  | { readonly problem: string; readonly number: null }
  | {
      readonly problem: null;
      readonly number: ImportedNumber;
      /** Its name there. */
      readonly label: string | null;
      /** When the other program last changed something (epoch milliseconds); null when that is not known. */
      readonly usedAt: number | null;
      readonly left: Left;
    }
);

/** The store of another program, which is only read. */
export interface Archive {
  /** The names of what may be a number in it. */
  readonly sources: readonly string[];
  /** Reads one of them. `stamp` in the answer changes when the other program writes. */
  read(source: string): Promise<Found>;
  /** Whether the other program was seen to be connected since it was opened. */
  wasUsed(): Promise<boolean>;
  close(): Promise<void>;
}

/** Something is wrong with the store of one number; the message completes "the number …". */
export class Unusable extends Error {}

/** What reading gives, or its problem in one line. */
export async function found(source: string, stamp: string, read: () => Promise<Found>): Promise<Found> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Unusable) return { source, stamp, problem: error.message, number: null };
    throw error;
  }
}

/** A name as a label of a number: at most 60 characters; null when nothing is left of it. */
export function asLabel(name: string | null | undefined): string | null {
  const text = [...(name ?? '').replace(/\p{Cc}/gu, ' ').trim()].slice(0, 60).join('').trim();
  return text === '' ? null : text;
}
