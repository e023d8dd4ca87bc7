import type { CallOutcome } from './call.ts';

/** What an assistant gets of a call: text and, of a QR code, its picture. */
export interface ToolResult {
  readonly content: (
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  )[];
  readonly isError: boolean;
  readonly [field: string]: unknown;
}

const pngUrl = 'data:image/png;base64,';
const replayNote =
  'This call had been made before, so nothing was sent again and the first result is above. If it was a retry, nothing is left to do. ' +
  'To send the same message again on purpose, repeat the call with a new idempotency_key.';

/** The envelope as text. The picture of a QR code stands beside it, where an assistant can show it. */
export function resultOf({ envelope, replayed }: CallOutcome): ToolResult {
  const picture = pictureIn(envelope);
  const text = JSON.stringify(envelope, (name, value) => (picture !== null && name === 'base64' ? undefined : value));
  return {
    content: [
      { type: 'text', text },
      ...(picture === null ? [] : [{ type: 'image' as const, data: picture, mimeType: 'image/png' }]),
      ...(replayed ? [{ type: 'text' as const, text: replayNote }] : []),
    ],
    isError: !(typeof envelope === 'object' && envelope !== null && 'success' in envelope && envelope.success === true),
  };
}

/** The base64 of `data.qrcode`; null where there is none. */
function pictureIn(envelope: unknown): string | null {
  const url = at(at(at(envelope, 'data'), 'qrcode'), 'base64');
  return typeof url === 'string' && url.startsWith(pngUrl) ? url.slice(pngUrl.length) : null;
}

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
