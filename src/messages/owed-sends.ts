import { z } from 'zod';
import { defineDebtKind } from '../debts/index.ts';
import { releaseOnce, settlementDebtName, settleOnce } from '../store/index.ts';

/** The end of an accepted send that may not be booked. */
export const settlementDebt = defineDebtKind({
  name: settlementDebtName,
  payload: z.object({
    requestId: z.string(),
    at: z.number(),
    accountId: z.string(),
    type: z.string(),
    day: z.string(),
    keyed: z.object({ key: z.string(), messageId: z.string(), providerStatus: z.string().nullable() }).nullable(),
    reservation: z.string().nullable(),
  }),
  pay: (trx, call, dialect) => settleOnce(trx, dialect, call),
});

/** The end of a failed send whose claim and reservation may still be there. */
export const releaseDebt = defineDebtKind({
  name: 'release',
  payload: z.object({
    requestId: z.string(),
    accountId: z.string(),
    key: z.string().nullable(),
    handedOver: z.boolean(),
    reservation: z.string().nullable(),
  }),
  pay: (trx, call) => releaseOnce(trx, call),
});
