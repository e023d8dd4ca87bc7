import { messageTypes } from '../../kinds/index.ts';
import { networkNames } from '../../networks/index.ts';
import { restrictionReasons } from '../../sessions/index.ts';
import type { JsonSchema } from './operation.ts';

/** A reference to a schema component. */
export function ref(name: keyof typeof dataSchemas): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

const uuid = { type: 'string', format: 'uuid' } as const;
const instanceId = { ...uuid, description: 'The number slot; stays the same for the life of the instance.' } as const;
const label = {
  type: ['string', 'null'],
  maxLength: 60,
  description: "The caller's own name for the number; null when none was given.",
} as const;
const connected = { type: 'boolean', description: 'true only while `status` is `open`.' } as const;
const phoneNumber = {
  type: ['string', 'null'],
  pattern: '^[1-9][0-9]{5,14}$',
  description: 'Digits of the linked number; null for one that never paired. Kept after a disconnect.',
} as const;
const status = { $ref: '#/components/schemas/InstanceStatus' } as const;
const qrcodeOrNull = { oneOf: [{ $ref: '#/components/schemas/QrCode' }, { type: 'null' }] } as const;

/** An object schema whose properties are all required, except the named ones. */
function object(description: string, properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  return { type: 'object', description, required: Object.keys(properties).filter((name) => !optional.includes(name)), properties };
}

/** What `data` of the responses is made of, as components of the document. */
export const dataSchemas = {
  SendResult: object('An accepted message. Accepted for delivery: neither delivered nor read.', {
    instance_id: { ...uuid, description: 'The number it was sent from.' },
    to: { type: 'string', pattern: '^[1-9][0-9]{5,14}$', description: 'The recipient as digits, after normalisation.' },
    type: { type: 'string', enum: messageTypes, description: 'The kind of the message.' },
    status: { type: 'string', const: 'sent', description: 'Always `sent`.' },
    message_id: { type: ['string', 'null'], description: "The message's own id: keep it to quote the message or react to it later." },
    provider_status: {
      type: ['string', 'null'],
      description: 'What the network said at the moment of sending, for example `PENDING`; not a receipt.',
      examples: ['PENDING'],
    },
  }),
  InteractiveSendResult: {
    description: 'An accepted message of a kind that phones may show differently.',
    allOf: [
      { $ref: '#/components/schemas/SendResult' },
      object('The caveat.', {
        best_effort: { type: 'boolean', const: true, description: 'Always true.' },
        note: { type: 'string', description: 'The caveat in words, for people.' },
      }),
    ],
  },
  NumberCheck: object('Which numbers are on the network.', {
    instance_id: { ...uuid, description: 'The number that asked.' },
    submitted: { type: 'integer', minimum: 1, maximum: 50, description: 'How many numbers the request had.' },
    checked: { type: 'integer', minimum: 1, maximum: 50, description: 'How many distinct ones were looked up.' },
    results: {
      type: 'array',
      description: 'One result per distinct number, in the order of first appearance.',
      items: { $ref: '#/components/schemas/NumberCheckResult' },
    },
  }),
  NumberCheckResult: object('What is known of one number.', {
    number: { type: 'string', pattern: '^[1-9][0-9]{5,14}$', description: 'The digits, after normalisation.' },
    reachable: {
      type: ['boolean', 'null'],
      description: 'true: on the network; false: not on it; null: the check could not be completed, so nothing is known.',
    },
    network_number: {
      type: ['string', 'null'],
      description: 'The number the network answers on. Send to this one when it differs; null unless `reachable` is true.',
    },
  }),
  InstanceStatus: {
    type: 'string',
    enum: ['open', 'connecting', 'close'],
    description:
      '`open`: connected and able to send. `connecting`: being paired, or a linked number is coming back. `close`: not connected, a person must scan.',
  },
  Instance: object(
    'A number that is or can be linked.',
    {
      instance_id: instanceId,
      label,
      status,
      connected,
      phone_number: phoneNumber,
      network: { type: 'string', enum: networkNames, description: 'The network it belongs to.' },
      created_at: { type: 'string', format: 'date-time', description: 'When it was created, in UTC.' },
      restriction: { $ref: '#/components/schemas/Restriction' },
    },
    ['restriction'],
  ),
  Restriction: object('A limit the network has put on the number. Present only while one is known.', {
    reason: {
      type: 'string',
      enum: restrictionReasons,
      description:
        '`reach_out_blocked`: it may not start new chats; replies still go out. `temporarily_banned`: it may not connect, and comes back by itself afterwards. ' +
        '`version_refused`: the network asks for a newer version of the gateway. ' +
        '`replaced`: another program has logged in with the same credentials; asking for the QR code takes the number back.',
    },
    until: { type: ['string', 'null'], format: 'date-time', description: 'When it ends, in UTC; null when the network does not say.' },
  }),
  CreatedInstance: {
    description: 'The new instance and the first QR code of its pairing attempt.',
    allOf: [
      { $ref: '#/components/schemas/Instance' },
      object('The first code.', {
        qrcode: { ...qrcodeOrNull, description: 'null when none was ready in time: then ask the QR endpoint.' },
      }),
    ],
  },
  InstanceList: object("The account's numbers.", {
    instances: { type: 'array', items: { $ref: '#/components/schemas/Instance' }, description: 'Oldest first.' },
  }),
  QrCode: object('A code to be scanned with the phone.', {
    base64: { type: 'string', pattern: '^data:image/png;base64,', description: 'A PNG as a data URL, ready for the source of an image.' },
    code: { type: 'string', description: 'What the QR code says, to draw it yourself.' },
    pairingCode: { type: ['string', 'null'], description: 'A code to type on the phone instead, when one was asked for; else null.' },
  }),
  Pairing: object('The code of the running pairing attempt.', {
    instance_id: instanceId,
    status,
    connected,
    already_connected: { type: 'boolean', description: 'true when there is nothing to scan, because the number is connected.' },
    qrcode: { ...qrcodeOrNull, description: 'null when the number is already connected.' },
  }),
  PairingProgress: object(
    'How a pairing attempt goes.',
    {
      instance_id: instanceId,
      label,
      status,
      connected,
      phone_number: phoneNumber,
      qrcode: { ...qrcodeOrNull, description: 'The current code: repaint it from every answer. null when connected or exhausted.' },
      rotation_count: {
        type: ['integer', 'null'],
        minimum: 0,
        description: 'Codes issued so far in this attempt; null without an attempt.',
      },
      rotation_limit: { type: 'integer', minimum: 1, description: 'Codes an attempt shows before it is exhausted.' },
      exhausted: { type: 'boolean', description: 'true when the attempt is over without a scan: begin again with the QR endpoint.' },
      passkey_required: {
        type: 'boolean',
        const: true,
        description:
          'Present, and true, when the attempt is over because the network asked for a passkey of the phone, which cannot be given here. ' +
          'Another code helps only after the passkey was removed on the phone, or with another number.',
      },
      check_incomplete: {
        type: 'boolean',
        const: true,
        description: 'Present, and true, when the live check did not complete this time. No error: keep polling.',
      },
      source: { type: 'string', enum: ['live', 'cached'], description: 'Where the answer comes from; for diagnosis only.' },
    },
    ['passkey_required', 'check_incomplete'],
  ),
  RenamedInstance: object('The instance under its new name.', {
    instance_id: instanceId,
    label: { type: 'string', minLength: 1, maxLength: 60, description: 'The new label.' },
    status,
  }),
  DisconnectedInstance: object('The instance lives on without a link.', {
    instance_id: instanceId,
    status: { type: 'string', const: 'close', description: 'Always `close`.' },
    disconnected: { type: 'boolean', const: true, description: 'Always true.' },
  }),
  DeletedInstance: object('The instance is gone.', {
    instance_id: { ...uuid, description: 'The id that is no longer valid.' },
    deleted: { type: 'boolean', const: true, description: 'Always true.' },
  }),
  Health: object('The service works.', {
    status: { type: 'string', const: 'ok', description: 'Always `ok`.' },
    version: { type: 'string', description: 'The version of the program.' },
  }),
  SandboxScan: object('The scan succeeded.', {
    instance_id: instanceId,
    phone_number: { type: 'string', description: 'The digits of the phone that scanned.' },
  }),
  SandboxUnlink: object('The link is gone.', { instance_id: instanceId }),
  SandboxMessages: object(
    'What a contact received.',
    {
      messages: { type: 'array', items: { $ref: '#/components/schemas/SandboxMessage' }, description: 'Oldest first.' },
      has_more: {
        type: 'boolean',
        const: true,
        description:
          'Present, and true, when there are more: ask with `before` and the first, or with `after` and the last message of this answer.',
      },
    },
    ['has_more'],
  ),
  SandboxMessage: object('A message as its recipient sees it.', {
    message_id: { type: 'string', description: 'The id of the send; a contact keeps one message per id.' },
    from: { type: 'string', description: 'Digits of the sending number.' },
    to: { type: 'string', description: 'Digits of the recipient.' },
    type: { type: 'string', enum: messageTypes, description: 'The kind of the message.' },
    content: {
      type: 'object',
      description: "The request's own fields after normalisation; for media also `mime_type`, `size` and `sha256` of what was delivered.",
    },
    quoted: {
      type: ['object', 'null'],
      description: 'The message this one replies to.',
      required: ['message_id', 'from_me'],
      properties: {
        message_id: { type: 'string', description: 'Its id.' },
        from_me: { type: 'boolean', description: 'Whether the number had sent it itself.' },
      },
    },
    received_at: { type: 'string', format: 'date-time', description: 'When it was received, in UTC.' },
  }),
} as const satisfies Readonly<Record<string, JsonSchema>>;
