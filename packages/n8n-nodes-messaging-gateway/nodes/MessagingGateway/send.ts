import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { bodyOf } from './body';
import { sendingOf } from './idempotency';
import { instanceOf } from './instances';
import { kinds } from './messages';
import { request } from './request';

/** What the gateway takes as a key. */
const idempotencyKey = /^[A-Za-z0-9._:~-]{8,255}$/;

/** Sends the message of one item. */
export function senderOf(context: IExecuteFunctions, operation: string): (itemIndex: number) => Promise<IDataObject> {
  const kind = kinds[operation];
  if (kind === undefined) throw new NodeOperationError(context.getNode(), `There is no operation ${operation}`);
  const { keyOf, during } = sendingOf(context);
  return async (itemIndex) => {
    const to = context.getNodeParameter('to', itemIndex);
    const body = {
      instance_id: instanceOf(context, itemIndex),
      // Numbers come as such from spreadsheets.
      to: typeof to === 'number' ? String(to) : (to as string),
      ...bodyOf(context, kind.fields, itemIndex),
    };
    const key = ownKey(context, itemIndex) || keyOf(itemIndex, body);
    const { data, requestId, replayed } = await during(key, () =>
      request(context, { method: 'POST', path: kind.path, body, key, itemIndex }),
    );
    return { ...data, request_id: requestId, idempotency_key: key, replayed };
  };
}

/** The key that somebody has filled in, or nothing. One that no header can hold would look like a gateway that does not answer. */
function ownKey(context: IExecuteFunctions, itemIndex: number): string {
  const key = String(context.getNodeParameter('additionalFields.idempotencyKey', itemIndex, '') ?? '');
  if (key === '' || idempotencyKey.test(key)) return key;
  throw new NodeOperationError(context.getNode(), 'The idempotency key must be 8 to 255 letters, digits and . _ : ~ -', { itemIndex });
}
