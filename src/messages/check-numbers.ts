import { z } from 'zod';
import { GatewayError, noInstance, normalisePhoneNumber } from '../core/index.ts';
import { instanceId } from '../kinds/index.ts';
import type { Sessions } from '../sessions/index.ts';

const mostNumbers = 50;

/** The body of numbers/check. How many numbers there may be is judged by `checkNumbers`, whose error carries the maximum. */
export const checkBody = z.object({
  instance_id: instanceId.meta({ description: 'A connected number of the account.' }),
  numbers: z
    .array(z.string())
    .min(1, { error: `must have 1 to ${mostNumbers} items` })
    .meta({ maxItems: mostNumbers, description: 'Numbers with country code, written as in `to`; duplicates are removed.' }),
});

const result = z
  .object({
    number: z.string().meta({ pattern: '^[1-9][0-9]{5,14}$', description: 'The digits, after normalisation.' }),
    reachable: z
      .boolean()
      .nullable()
      .meta({ description: 'true: on the network; false: not on it; null: the check could not be completed, so nothing is known.' }),
    network_number: z.string().nullable().meta({
      description: 'The number the network answers on. Send to this one when it differs; null unless `reachable` is true.',
    }),
  })
  .meta({ id: 'NumberCheckResult', description: 'What is known of one number.' });
const count = z.int().meta({ minimum: 1, maximum: mostNumbers });

export const numberCheck = z
  .object({
    instance_id: z.string().meta({ format: 'uuid', description: 'The number that asked.' }),
    submitted: count.meta({ description: 'How many numbers the request had.' }),
    checked: count.meta({ description: 'How many distinct ones were looked up.' }),
    results: z.array(result).meta({ description: 'One result per distinct number, in the order of first appearance.' }),
  })
  .meta({ id: 'NumberCheck', description: 'Which numbers are on the network.' });

/** Asks the network which numbers are reachable (contract, "numbers/check"; decisions §6). Sends nothing, costs no quota. */
export async function checkNumbers(
  sessions: Sessions,
  { accountId, moving }: { readonly accountId: string; readonly moving: boolean },
  body: z.output<typeof checkBody>,
): Promise<z.output<typeof numberCheck>> {
  if (body.numbers.length > mostNumbers) {
    throw new GatewayError('invalid_request', `numbers must have 1 to ${mostNumbers} items`, {
      field: 'numbers',
      max_numbers: mostNumbers,
    });
  }
  const errors: { field: string; message: string }[] = [];
  const distinct = new Set<string>();
  body.numbers.forEach((number, position) => {
    const digits = normalisePhoneNumber(number);
    if (digits !== null) distinct.add(digits);
    else
      errors.push({
        field: `numbers[${position}]`,
        message: `numbers[${position}] must be a phone number with country code, 6 to 15 digits`,
      });
  });
  const [first] = errors;
  if (first !== undefined) {
    throw new GatewayError('invalid_request', first.message, { field: first.field, ...(errors.length > 1 ? { errors } : {}) });
  }

  const session = sessions.find(accountId, body.instance_id);
  if (session === undefined) throw noInstance({ moving });
  if (!session.linked) throw new GatewayError('instance_not_connected', 'The number is not linked; a person must scan its QR code again.');
  const numbers = [...distinct];
  const answers = await session.check(numbers);
  return {
    instance_id: session.id,
    submitted: body.numbers.length,
    checked: numbers.length,
    results: numbers.map((number, position) => {
      const answer = answers[position];
      const reachable = answer?.reachable ?? null;
      return { number, reachable, network_number: reachable === true ? (answer?.networkNumber ?? null) : null };
    }),
  };
}
