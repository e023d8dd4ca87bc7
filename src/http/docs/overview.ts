import { catalogue } from '../../core/index.ts';
import type { TagName } from './operation.ts';

/** The version of the interface description (contract, "Versioning"), not of the program. */
export const interfaceVersion = '1.0.0';

/** What the document begins with: all that is not about one endpoint. */
export function overview(options: { readonly idempotency: boolean }): string {
  return `${opening(options)}\n\n## Errors\n\n${errorList()}`;
}

/** The same without the errors, which the docs page shows one by one. */
export function opening({ idempotency }: { readonly idempotency: boolean }): string {
  const sections = [
    `Send messages from phone numbers that you link by scanning a QR code, over plain HTTP and JSON.

A success means that a message was accepted for delivery; it does not mean delivered, read or, for buttons and lists, displayed. There is no way to ask about delivery later; a webhook can report it. What recipients tap or choose is not reported. Files are never uploaded here: you host them, and the gateway downloads them from your link.`,
    `## First steps

1. Put your API key into the request header \`apikey\`. Every endpoint except the health check needs it; it is neither a bearer token nor a query parameter.
2. \`POST /v1/instances\` creates a slot for a number and usually returns a QR code.
3. Scan it with the phone, and poll \`GET /v1/instances/{id}/qr-status\` until \`connected\` is true.
4. \`POST /v1/messages/text\` with that \`instance_id\` sends the first message.

A key belongs to an account and can use all of its numbers. \`GET /v1/instances\` is a harmless way to test one.`,
    `## Responses

Every response is an envelope with \`success\` and \`request_id\`; a success has \`data\`, a failure has \`error\` with \`code\`, \`message\` and sometimes \`details\`. Branch on the HTTP status and \`error.code\`: the wording of \`message\` may change. Unknown fields in a request are ignored. Lengths count Unicode characters (code points), and a body may be up to 128 KB.`,
    `## Rate limits

Requests are counted per API key over a rolling minute, in two scopes. \`messages\` covers sends and number checks, and your plan sets its size; \`instances\` covers the endpoints for instances, with 120 requests. The \`X-RateLimit-*\` headers give the scope, its size, what is left, and the seconds until one more is free. While \`X-RateLimit-Remaining\` is above 0, send at once; otherwise wait \`X-RateLimit-Reset\` seconds. A 429 does not count.`,
    ...(idempotency
      ? [
          `## Retrying safely

Give each send its own \`Idempotency-Key\`, named after what the message is about (\`order-1042:shipped\`), so that a retry has the same one, also after your program was restarted. A new random key at each try protects nothing. For 24 hours, the same key with the same body returns the first result and sends nothing again; with a different body it gives 422 \`idempotency_key_reused\` (a default written out, or an empty optional text, makes no difference). \`Idempotency-Replayed\` tells which of the two happened. Without a key, a retry after a broken connection can send twice.`,
        ]
      : []),
  ];
  return sections.join('\n\n');
}

/** The whole catalogue as a list; a table breaks the long codes apart on narrow screens. */
function errorList(): string {
  return Object.entries(catalogue)
    .sort(([, one], [, other]) => one.status - other.status)
    .map(([code, { status, condition, cure }]) => `- ${status} \`${code}\`: ${condition} ${cure}`)
    .join('\n');
}

/** The groups of endpoints, in the order of the docs page. */
export const tagDescriptions: Readonly<Record<TagName, string>> = {
  Messages: 'One endpoint per kind of message. All share the addressing fields, and all except reactions can quote an earlier message.',
  Numbers: 'Which phone numbers are on the network.',
  Instances: 'The numbers of the account: create, link, watch, rename, disconnect, delete.',
  Health: 'Whether the service is working.',
  Sandbox:
    'A network inside the gateway, to try everything without a phone and without messaging anybody. Playing the phone has no rate limit; reading messages has its own, the scope `sandbox`.',
};
