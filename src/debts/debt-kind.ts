import type { z } from 'zod';
import type { Dialect, Store } from '../store/index.ts';

/** A kind of debt whose payload is stored as text. */
export interface DebtKind<Payload> {
  /** What its rows are known by. */
  readonly name: string;
  /** The payload as it is stored. */
  write(payload: Payload): string;
  /** Pays a stored debt; throws when its payload is not the kind's. */
  pay(trx: Store['db'], text: string, dialect: Dialect): Promise<void>;
}

/**
 * Defines a kind of debt. `pay` does what is owed, in the transaction that removes the debt, so that it is done once. It must be short, use
 * the transaction alone, and tolerate that part of the work was done before the debt was written down.
 */
export function defineDebtKind<Payload>(kind: {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  pay(trx: Store['db'], payload: Payload, dialect: Dialect): Promise<void>;
}): DebtKind<Payload> {
  return {
    name: kind.name,
    write: (payload) => JSON.stringify(payload),
    async pay(trx, text, dialect) {
      await kind.pay(trx, kind.payload.parse(JSON.parse(text)), dialect);
    },
  };
}
