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
    summary: 'Get the passkey request',
    description:
      'Extension. WhatsApp asks some accounts for their passkey before it links a number (`passkey_required` in qr-status). A WhatsApp passkey can only be used on ' +
      '`https://web.whatsapp.com`: there, `navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })` asks the person for it, ' +
      'and the result of `toJSON()` goes to `POST /v1/instances/{id}/passkey`. The dialog of the portal, its browser extension and `gateway number pair` do all of this.',
    errors: [...limitedErrors, 'instance_not_found'],
    success: 'The current request. Everything except `instance_id` is null if there is none.',
    results: {
      asked: { summary: 'A passkey is requested', value: { instance_id, options, expires_at: exampleTime, confirmation_code: null } },
      confirm: {
        summary: 'A code must be compared with the phone',
        value: { instance_id, options: null, expires_at: exampleTime, confirmation_code: '7KQ2-M9XA' },
      },
      none: { summary: 'No request', value: { instance_id, options: null, expires_at: null, confirmation_code: null } },
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
    success: 'It was handed over; `failed` if the network did not accept it.',
    fields: { credential: 'The result of `credential.toJSON()` in the browser.' },
    bodies: { answer: { summary: 'From the browser', value: { credential } } },
    results: { signed: { summary: 'Accepted', value: { instance_id, stage: 'signed' } } },
  },
};

export const passkeyConfirmDocs: FastifySchema = {
  docs: {
    operationId: 'confirmInstancePasskey',
    tag: 'Instances',
    summary: 'Confirm the passkey code',
    description:
      'Extension. Confirms that the phone shows the same `confirmation_code`. Needed only if the passkey was given more than five minutes after the request.',
    errors: [...limitedErrors, 'invalid_request', 'instance_not_found'],
    errorExamples: { invalid_request: { message: 'There is no code to confirm right now.' } },
    success: 'The number is being linked.',
    results: { confirmed: { summary: 'Confirmed', value: { instance_id, stage: 'confirming' } } },
  },
};
