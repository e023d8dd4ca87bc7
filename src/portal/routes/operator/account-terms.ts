import { z } from 'zod';
import { bounds } from '../../../accounts/index.ts';
import { moment } from '../../../core/index.ts';
import { email, id, name, reference, wholeNumber } from '../../fields.ts';

export const accountChange = z.object({
  name: name.optional(),
  provider_id: id.optional(),
  status: z.enum(['active', 'suspended']).optional(),
  /** Name or id. */
  plan: z.string().min(1).max(100).nullable().optional(),
  plan_ends_at: moment.nullable().optional(),
  access_ends_at: moment.nullable().optional(),
  instance_limit: wholeNumber(bounds.instanceLimit).nullable().optional(),
  operator: z.boolean().optional(),
  free_slots: wholeNumber(bounds.freeSlots).nullable().optional(),
  reference: reference.nullable().optional(),
});

/** A new account has a name; its first owner may be invited with it. */
export const newAccount = accountChange.extend({ name, owner_email: email.optional() });
