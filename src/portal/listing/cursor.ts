import { GatewayError } from '../../core/index.ts';
import type { KeyType, Mark } from '../../store/index.ts';

/** A place in a list as pages carry it: the sort order with the key and id of a row. It reveals nothing that the row itself does not. */
export function writeCursor(sort: string, { key, id }: Mark): string {
  return Buffer.from(JSON.stringify([sort, key, id])).toString('base64url');
}

/** An order of a list, as its cursors name it. */
export interface CursorOf {
  readonly sort: string;
  readonly key: KeyType;
}

/** The place; throws invalid_request, which names the `field`, for what no page of a list in this order can have given. */
export function readCursor(text: string, order: CursorOf, field: string): Mark {
  const parsed = parse(text);
  if (parsed !== null) {
    const [sort, key, id] = parsed;
    if (sort === order.sort && isOf(order.key, key) && isOf('text', id) && parsed.length === 3) return { key, id };
  }
  throw new GatewayError('invalid_request', `${field} must come from an earlier page of the same order.`, { field });
}

function parse(text: string): readonly unknown[] | null {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/** PostgreSQL takes no null character, which nothing that is listed holds, and no text where it has a number. */
function isOf(type: KeyType, value: unknown): value is string | number {
  return type === 'text' ? typeof value === 'string' && !value.includes('\0') : Number.isSafeInteger(value);
}
