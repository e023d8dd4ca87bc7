import type { FastifySchema } from 'fastify';
import { bodyErrors, keyedErrors, limitedErrors } from './error-groups.ts';
import { exampleInstanceId, exampleMessageId, exampleRecipient, exampleSender, exampleTime } from './examples.ts';

const phoneNumber =
  'Phone number with country code; 6 to 15 digits must remain after spaces, dashes, brackets and a leading + are stripped.';

export const scanDocs: FastifySchema = {
  docs: {
    operationId: 'sandboxScan',
    tag: 'Sandbox',
    summary: 'A sandbox phone scans a QR code',
    description:
      'Plays the person with the phone: a phone with this number scans the code that an instance of the account shows right now.',
    errors: [...keyedErrors, ...bodyErrors],
    errorExamples: {
      invalid_request: {
        message: 'code must be that of a QR code which an instance of the account shows right now.',
        details: { field: 'code' },
      },
    },
    success: 'The instance is linked to that phone.',
    fields: { code: '`qrcode.code` of the instance to be linked.', phone_number: `The number of the phone. ${phoneNumber}` },
    bodies: { scan: { summary: 'Scan', value: { code: 'sandbox:8f14e45fceea167a', phone_number: '+49 30 901820' } } },
    results: { linked: { summary: 'Linked', value: { instance_id: exampleInstanceId, phone_number: exampleSender } } },
  },
};

export const unlinkDocs: FastifySchema = {
  docs: {
    operationId: 'sandboxUnlink',
    tag: 'Sandbox',
    summary: 'A sandbox phone unlinks the gateway',
    description:
      'Plays the person who removes the gateway from the linked devices of the phone: the instance closes and must be scanned again.',
    errors: [...keyedErrors, ...bodyErrors, 'instance_not_found'],
    errorExamples: { invalid_request: { message: 'phone_number is required.', details: { field: 'phone_number' } } },
    success: 'The instance is no longer linked.',
    fields: { phone_number: `The number of the phone. ${phoneNumber}` },
    bodies: { unlink: { summary: 'Unlink', value: { phone_number: '+49 30 901820' } } },
    results: { unlinked: { summary: 'Unlinked', value: { instance_id: exampleInstanceId } } },
  },
};

export const messagesDocs: FastifySchema = {
  docs: {
    operationId: 'listSandboxMessages',
    tag: 'Sandbox',
    summary: 'What a sandbox contact received',
    description:
      'The messages that the account sent to this contact, oldest first. The last 1,000 of the account are kept, for 7 days. ' +
      'Without `after` these are the newest ones: as many as `limit` says, or fewer when they are large, because an answer holds about 512 KB. ' +
      'The rate limit is 1,200 per minute in the scope `sandbox`.',
    errors: [...limitedErrors, 'invalid_request'],
    success: 'The messages, possibly none.',
    fields: {
      to: `The contact. ${phoneNumber}`,
      limit: 'The maximum number of messages.',
      before: 'A `message_id`: the newest messages before that one.',
      after: 'A `message_id`: the oldest messages after that one. Not together with `before`.',
    },
    results: {
      text: {
        summary: 'One text',
        value: {
          messages: [
            {
              message_id: exampleMessageId,
              from: exampleSender,
              to: exampleRecipient.digits,
              type: 'text',
              content: { text: 'Hello from the gateway' },
              quoted: null,
              received_at: exampleTime,
            },
          ],
        },
      },
    },
  },
};
