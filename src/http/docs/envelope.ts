import { catalogue } from '../../core/index.ts';
import type { JsonSchema } from './operation.ts';

const requestId = {
  type: 'string',
  format: 'uuid',
  description: 'Identifies the request, also for support. The same as the header X-Request-Id.',
} as const;

/** The parts every response shares, as components of the document. */
export const envelopeSchemas: Readonly<Record<string, JsonSchema>> = {
  SuccessEnvelope: {
    type: 'object',
    description: 'Every success.',
    required: ['success', 'data', 'request_id'],
    properties: {
      success: { type: 'boolean', const: true, description: 'Always true.' },
      data: { type: 'object', description: 'The result; each endpoint describes its fields.' },
      request_id: requestId,
    },
  },
  ErrorEnvelope: {
    type: 'object',
    description: 'Every failure.',
    required: ['success', 'error', 'request_id'],
    properties: {
      success: { type: 'boolean', const: false, description: 'Always false.' },
      error: { $ref: '#/components/schemas/Error' },
      request_id: requestId,
    },
  },
  Error: {
    type: 'object',
    description: 'What went wrong.',
    required: ['code', 'message'],
    properties: {
      code: { $ref: '#/components/schemas/ErrorCode' },
      message: { type: 'string', description: 'For people; the wording may change.' },
      doc_url: {
        type: 'string',
        format: 'uri',
        description:
          'A page that explains this code and what to do. Absent if the gateway does not know its public address (`PUBLIC_URL`).',
      },
      details: { type: 'object', description: 'More information for programs; on some errors only.' },
    },
  },
  ErrorCode: {
    type: 'string',
    enum: Object.keys(catalogue),
    description: 'The reason, for programs: branch on the HTTP status and this code. Its meaning never changes.',
  },
};

/** The envelope of a success around the schema of its `data`. */
export function successSchema(data: JsonSchema): JsonSchema {
  return { allOf: [{ $ref: '#/components/schemas/SuccessEnvelope' }, { type: 'object', required: ['data'], properties: { data } }] };
}

/** The envelope of a failure that is one of `codes`, whose `details` may have these fields. */
export function failureSchema(codes: readonly string[], details: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const error = {
    type: 'object',
    properties: {
      code: { type: 'string', enum: codes },
      ...(Object.keys(details).length === 0 ? {} : { details: { type: 'object', properties: details } }),
    },
  };
  return { allOf: [{ $ref: '#/components/schemas/ErrorEnvelope' }, { type: 'object', properties: { error } }] };
}
