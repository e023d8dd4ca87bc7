import type { FastifySchema } from 'fastify';
import type { Kind, MessageType } from '../../kinds/index.ts';
import { exampleInstanceId, exampleMessageId, exampleRecipient } from './examples.ts';
import { type Example, type FailureExample, sendErrors } from './operation.ts';

/** The docs of a kind's endpoint: all of it follows from the kind. */
export function sendDocs(kind: Kind): FastifySchema {
  // Links are the only fields that are judged by the address guard, and media the only ones that are fetched.
  const linkFields = exampleLinks(kind);
  return {
    docs: {
      operationId: `send${kind.type.charAt(0).toUpperCase()}${kind.type.slice(1)}`,
      tag: 'Messages',
      summary: kind.summary,
      description: describe(kind),
      errors: [
        ...sendErrors,
        ...(linkFields.length > 0 ? (['invalid_media_url'] as const) : []),
        ...(kind.media === null ? [] : (['media_fetch_failed'] as const)),
      ],
      ...(kind.media === null && linkFields[0] !== undefined ? { errorExamples: { invalid_media_url: refusedLink(linkFields[0]) } } : {}),
      success: 'Accepted for delivery.',
      results: mapExamples(kind, () => resultOf(kind.type, kind.bestEffortNote)),
      bodies: mapExamples(kind, (own) => ({ instance_id: exampleInstanceId, to: exampleRecipient.written, ...own })),
    },
  };
}

/** The fields of the kind's examples that hold a link to be guarded. */
function exampleLinks(kind: Kind): string[] {
  const fields = Object.values(kind.examples).flatMap((own) =>
    kind.links({ instance_id: exampleInstanceId, to: exampleRecipient.digits, ...own }).map((link) => link.field),
  );
  return [...new Set(fields)];
}

function refusedLink(field: string): FailureExample {
  return {
    message: `${field} must be a public http or https link to a file: it points at a private, internal or reserved address`,
    details: { field },
  };
}

function describe(kind: Kind): string {
  const parts = [kind.description];
  if (kind.media !== null) {
    parts.push(
      'Give a public link straight to the file, not to a preview or share page. A link that is not allowed gives 400 `invalid_media_url`; one that cannot be downloaded, or whose file is nothing of the kind (a web page as an image), gives 422 `media_fetch_failed`; then `details.found` is the media type that was found. The files in the examples are served by the gateway itself and can be sent as they are.',
    );
  }
  parts.push(
    'A `to` that cannot be used gives 422 `invalid_recipient`: skip that recipient.',
    'A success means accepted for delivery, not delivered or read.',
  );
  return parts.filter((part) => part !== undefined).join('\n\n');
}

function resultOf(type: MessageType, note: string | null): object {
  return {
    instance_id: exampleInstanceId,
    to: exampleRecipient.digits,
    type,
    status: 'sent',
    message_id: exampleMessageId,
    provider_status: 'PENDING',
    ...(note === null ? {} : { best_effort: true, note }),
  };
}

function mapExamples(kind: Kind, value: (own: object) => object): Record<string, Example> {
  return Object.fromEntries(Object.entries(kind.examples).map(([name, own]) => [name, { summary: words(name), value: value(own) }]));
}

/** `removeFromOwn` as `Remove from own`. */
function words(name: string): string {
  const spaced = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
