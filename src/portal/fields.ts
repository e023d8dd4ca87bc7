import { z } from 'zod';
import { checkLabel, checkName, checkPlanName, checkReference } from '../accounts/index.ts';
import { OperatorError, readProxyAddress } from '../core/index.ts';
import { checkEmail } from '../people/index.ts';

// Pieces of bodies and queries that several endpoints ask for.

/** A text that `check` accepts, as it gives it back; `otherwise`: what is expected, where the check's error does not name it. */
export function checkedText(check: (text: string) => string, otherwise: string, longest = Number.POSITIVE_INFINITY) {
  return z
    .string()
    .max(longest)
    .transform((text, context) => {
      try {
        return check(text);
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        const [expectation = otherwise] = /must .*/.exec(error.message) ?? [];
        context.addIssue({ code: 'custom', message: expectation });
      }
      return z.NEVER;
    });
}

/** A name as it is stored. */
export const name = checkedText(checkName, 'must be a name');
export const planName = checkedText(checkPlanName, 'must be the name of a plan, neither an id nor the word none');

/** A customer's name in a provider's own books, as it is stored. */
export const reference = checkedText(checkReference, 'must be a reference');

/** A key's label as it is stored. */
export const keyLabel = checkedText(checkLabel, 'must be a label');

/** An e-mail address as it is stored. */
export const email = checkedText(checkEmail, 'must be an e-mail address');

/** The address of a number's proxy in the spelling that is stored. */
export const proxyAddress = checkedText(readProxyAddress, 'must be the address of a proxy', 1000);

const idPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** The id of something in a body or query; most are UUIDs, what was built in has a word. */
export const id = z.string().regex(idPattern, { error: 'must be an id' });

export const role = z.enum(['operator', 'provider_admin', 'owner', 'member']);

/** Whether a piece of a path can be an id at all; no database need be asked for others. */
export const isId = (text: string): boolean => idPattern.test(text);

/** A whole number within the bounds. */
export const wholeNumber = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z
    .int({ error: `must be a whole number from ${min} to ${max}` })
    .min(min)
    .max(max);

/** A text of at most so many characters, none of which is a control character. */
export const plainText = (most: number, error?: string) =>
  z
    .string(error)
    .max(most)
    .refine((text) => !/\p{Cc}/u.test(text), { error: 'must not contain control characters' });

/** A search text; blank: everything. */
export const search = plainText(100)
  .transform((text) => (text.trim() === '' ? undefined : text.trim()))
  .optional();

/** What a search across everything is for. */
export const searchText = plainText(200, 'must be a text').refine((text) => text.trim() !== '', { error: 'must not be blank' });

/** How many, in a query. */
export const limit = (most: number, usual: number) =>
  z
    .string()
    .regex(/^[1-9][0-9]{0,3}$/, { error: `must be a whole number from 1 to ${most}` })
    .transform(Number)
    .refine((count) => count <= most, { error: `must be a whole number from 1 to ${most}` })
    .default(usual);
