import { z } from 'zod';
import { defineWriteKind } from '../outbox/index.ts';
import { releaseOnce, settlementWriteName, settleOnce } from '../store/index.ts';

/** The end of an accepted send that may not be booked. */
export const settlementWrite = defineWriteKind({
  name: settlementWriteName,
  payload: z.object({
    requestId: z.string(),
    at: z.number(),
    accountId: z.string(),
    type: z.string(),
    day: z.string(),
    keyed: z.object({ key: z.string(), messageId: z.string(), providerStatus: z.string().nullable() }).nullable(),
    reservation: z.string().nullable(),
  }),
  run: settleOnce,
});

/** The end of a failed send whose claim and reservation may still be there. */
export const releaseWrite = defineWriteKind({
  name: 'release',
  payload: z.object({
    requestId: z.string(),
    accountId: z.string(),
    key: z.string().nullable(),
    handedOver: z.boolean(),
    reservation: z.string().nullable(),
  }),
  run: (trx, call) => releaseOnce(trx, call),
});
