import { z } from 'zod';
import { normaliserOf } from './defaults.ts';
import { instanceId, text } from './fields.ts';
import { fieldPath } from './issues.ts';

/** The message types, as in `data.type` of a send and in the path of its endpoint. */
export const messageTypes = [
  'text',
  'image',
  'document',
  'video',
  'audio',
  'sticker',
  'location',
  'contact',
  'poll',
  'reaction',
  'buttons',
  'list',
] as const;
export type MessageType = (typeof messageTypes)[number];

/** A message as the recipient would see it: the kind's own fields after normalisation, without addressing and media link. */
export type Content = Readonly<Record<string, unknown>>;

/** What a media kind is delivered as. */
export type MediaUse = 'image' | 'document' | 'video' | 'voice' | 'sticker';

export interface KindMedia {
  readonly as: MediaUse;
  /** What it is sent as when neither the caller nor its server names a type. */
  readonly fallbackMimeType: string;
}

/** A link in a body that must pass the address guard, with its place in the contract's notation (`url`, `buttons[1].url`). */
export interface GuardedLink {
  readonly field: string;
  readonly url: string;
}

/** Everything about one message kind. Its route, types, OpenAPI entry, docs, sandbox rendering and tests follow from this. */
export interface Kind<Canonical extends Content = Content> {
  readonly type: MessageType;
  /** One line for the docs. */
  readonly summary: string;
  readonly description: string | undefined;
  /** The whole request body. */
  readonly schema: z.ZodType<SendBody>;
  /** Bodies that are sent as they are in docs and tests, without `instance_id` and `to`. */
  readonly examples: Readonly<Record<string, Content>>;
  /** The file that is fetched and sent, if the kind has one. */
  readonly media: ({ readonly field: 'url' } & KindMedia) | null;
  /** The caveat of kinds that may be shown as plain text: `note` in the response. */
  readonly bestEffortNote: string | null;
  /** Every link of the body that a recipient or the gateway would follow. */
  links(body: SendBody): readonly GuardedLink[];
  /** The body with its links as they were judged, in the order of `links`. */
  withLinks(body: SendBody, judged: readonly string[]): SendBody;
  /** The canonical content of a parsed body. */
  content(body: SendBody): Canonical;
}

/** Where a value is in a body, for example `['buttons', 1, 'url']`. */
type Path = readonly (string | number)[];

/** The fields every send has, after parsing (contract, "Shared request fields"). */
export interface SendBody {
  readonly instance_id: string;
  readonly to: string;
  readonly quoted_message_id?: string | undefined;
  readonly quoted_from_me?: boolean | undefined;
  readonly [field: string]: unknown;
}

const addressing = {
  instance_id: instanceId.meta({ description: 'The number to send from.' }),
  to: z.string().meta({
    description:
      "The recipient's phone number with country code, 6 to 15 digits, no leading zero. Spaces, dashes, brackets, a leading + and invisible characters are ignored; digits of any script count.",
  }),
};

const quoting = {
  quoted_message_id: text(1, 128)
    .optional()
    .meta({ description: 'The data.message_id of an earlier message. Makes this message a reply to it.' }),
  quoted_from_me: z
    .boolean()
    .optional()
    .meta({ description: 'Set to true if the quoted message was sent from this number.', default: false }),
};

/** The own fields of a kind, typed from its schema. */
type Own<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** The content of a kind that does not define its own. */
type PlainContent<Shape extends z.ZodRawShape> = Omit<Own<Shape>, 'url'>;

interface KindDefinition<Shape extends z.ZodRawShape, Canonical> {
  readonly type: MessageType;
  readonly summary: string;
  readonly description?: string;
  /** The kind's own fields; addressing is added. */
  readonly fields: Shape;
  /** False for kinds that cannot be a reply. */
  readonly quotable?: boolean;
  /** Rules across fields. `at` is the path of the offending field, for example `['options', 1]`. */
  readonly check?: (body: Own<Shape>, fail: (at: Path, expected: string) => void) => void;
  readonly media?: KindMedia;
  readonly bestEffortNote?: string;
  /** Where the body has links that must pass the address guard; without it, a media kind's own link. */
  readonly links?: (body: Own<Shape>) => readonly Path[];
  /** Turns the own fields into the canonical content. Without it the fields are the content, a media link left out. */
  readonly content?: (body: Own<Shape>) => Canonical;
  readonly examples: Readonly<Record<string, z.input<z.ZodObject<Shape>>>>;
}

/** Makes a kind from its one file. */
export function defineKind<Shape extends z.ZodRawShape, Canonical extends Content = PlainContent<Shape>>(
  definition: KindDefinition<Shape, Canonical>,
): Kind<Canonical> {
  const quotable = definition.quotable ?? true;
  const ownNames = Object.keys(definition.fields);
  const own = (body: SendBody): Own<Shape> => {
    const fields: Record<string, unknown> = {};
    for (const name of ownNames) if (body[name] !== undefined) fields[name] = body[name];
    // The names come from the shape itself, so the picked fields have its type.
    return fields as Own<Shape>;
  };
  const shape = { ...addressing, ...definition.fields, ...(quotable ? quoting : {}) };
  const check = definition.check;
  const plain = z.object(shape);
  const normalise = normaliserOf(plain);
  const checked = plain.superRefine((parsed, context) => {
    const body = parsed as SendBody;
    const fail = (path: Path, message: string) => context.addIssue({ code: 'custom', path: [...path], message });
    if (body.quoted_from_me === true && body.quoted_message_id === undefined) {
      fail(['quoted_from_me'], 'must only be true together with quoted_message_id');
    }
    check?.(own(body), fail);
  });
  // An overwrite, unlike a transform, leaves the schema one that documents can describe.
  const schema = normalise === null ? checked : checked.overwrite((body) => normalise(body) as typeof body);

  const mediaLink: readonly Path[] = definition.media === undefined ? [] : [['url']];
  const pathsIn = (body: SendBody) => definition.links?.(own(body)) ?? mediaLink;

  return {
    type: definition.type,
    summary: definition.summary,
    description: definition.description,
    schema: schema as unknown as z.ZodType<SendBody>,
    examples: definition.examples as Readonly<Record<string, Content>>,
    media: definition.media === undefined ? null : { field: 'url', ...definition.media },
    bestEffortNote: definition.bestEffortNote ?? null,
    links: (body) => pathsIn(body).map((path) => ({ field: fieldPath(path), url: String(valueAt(body, path)) })),
    withLinks: (body, judged) =>
      pathsIn(body).reduce((changed, path, index) => withValueAt(changed, path, judged[index]) as SendBody, body),
    content(body) {
      const fields = own(body);
      if (definition.content !== undefined) return definition.content(fields);
      // Without a `content` of its own, Canonical is the fields without the media link.
      if (definition.media === undefined) return fields as unknown as Canonical;
      const { url: _, ...rest } = fields as Record<string, unknown>;
      return rest as unknown as Canonical;
    },
  };
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inside, step) => (inside as Readonly<Record<string | number, unknown>>)[step], value);
}

/** The value with another one at that place. */
function withValueAt(value: unknown, [step, ...rest]: Path, put: unknown): unknown {
  if (step === undefined) return put;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? withValueAt(item, rest, put) : item));
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [step]: withValueAt(fields[step], rest, put) };
}
