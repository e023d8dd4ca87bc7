import type { FastifySchema } from 'fastify';
import { bodyErrors, limitedErrors } from './error-groups.ts';
import { exampleInstanceId, exampleTime } from './examples.ts';

const instance_id = exampleInstanceId;
const options = {
  challenge: 'bX0T3nqoMtVZQ2vM7Yw0o7Qe0o5u4c0C1m2Y5tQ0n2k',
  timeout: 600_000,
  rpId: 'whatsapp.com',
  allowCredentials: [],
  userVerification: 'required',
};
const credential = {
  id: '3q2-7w',
  rawId: '3q2-7w',
  type: 'public-key',
  clientExtensionResults: {},
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'ASNFZ4mrze8',
    signature: 'MEUCIQ',
    userHandle: 'dXNlcg',
  },
};

export const passkeyDocs: FastifySchema = {
  docs: {
    operationId: 'getInstancePasskey',
    tag: 'Instances',
    summary: 'What passkey is asked for',
    description:
      'Extension. WhatsApp asks some accounts for their passkey before it links a number (`passkey_required` in qr-status). A passkey of WhatsApp can be used on ' +
      '`https://web.whatsapp.com` only: there, `navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })` asks the person for it, ' +
      'and what `toJSON()` gives goes to `POST /v1/instances/{id}/passkey`. The dialog of the portal, its browser extension and `gateway number pair` do all of this.',
    errors: [...limitedErrors, 'instance_not_found'],
    success: 'What is asked for right now. Everything but `instance_id` is null when nothing is.',
    results: {
      asked: { summary: 'A passkey is asked for', value: { instance_id, options, expires_at: exampleTime, confirmation_code: null } },
      confirm: {
        summary: 'A code is to be compared with the phone',
        value: { instance_id, options: null, expires_at: exampleTime, confirmation_code: '7KQ2-M9XA' },
      },
      none: { summary: 'Nothing is asked for', value: { instance_id, options: null, expires_at: null, confirmation_code: null } },
    },
  },
};

export const passkeyAnswerDocs: FastifySchema = {
  docs: {
    operationId: 'answerInstancePasskey',
    tag: 'Instances',
    summary: 'Give the passkey',
    description:
      'Extension. Hands the passkey over to the network, once. A credential that cannot be right (made on another page, for another request or another site) is 400 and is not sent, so it can be given again.',
    errors: [...limitedErrors, ...bodyErrors, 'instance_not_found'],
    errorExamples: { invalid_request: { message: 'No passkey is asked for right now.' } },
    success: 'It was handed over; `failed` when the network did not take it.',
    fields: { credential: "What the browser's `credential.toJSON()` gave." },
    bodies: { answer: { summary: 'From the browser', value: { credential } } },
    results: { signed: { summary: 'Taken', value: { instance_id, stage: 'signed' } } },
  },
};

export const passkeyConfirmDocs: FastifySchema = {
  docs: {
    operationId: 'confirmInstancePasskey',
    tag: 'Instances',
    summary: 'Confirm the code of the passkey',
    description:
      'Extension. Says that the phone shows the same `confirmation_code`. Asked for only when the passkey was given more than five minutes after it was asked for.',
    errors: [...limitedErrors, 'invalid_request', 'instance_not_found'],
    errorExamples: { invalid_request: { message: 'There is no code to confirm right now.' } },
    success: 'The number is being linked.',
    results: { confirmed: { summary: 'Confirmed', value: { instance_id, stage: 'confirming' } } },
  },
};
