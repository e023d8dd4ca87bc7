import { catalogue } from '../../core/index.ts';
import { detailFields } from './error-examples.ts';
import type { JsonSchema } from './operation.ts';

const requestId = {
  type: 'string',
  format: 'uuid',
  description: 'Identifies the request, also for support. The same as the header X-Request-Id.',
} as const;

/** The body of every failure, as components of the document. */
export const errorSchemas: Readonly<Record<string, JsonSchema>> = {
  ErrorEnvelope: {
    type: 'object',
    description: 'Every failure.',
    required: ['success', 'error', 'request_id'],
    properties: {
      success: { type: 'boolean', const: false, description: 'Always false.' },
      error: { $ref: '#/components/schemas/ApiError' },
      request_id: requestId,
    },
  },
  ApiError: {
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
      details: { $ref: '#/components/schemas/ErrorDetails' },
    },
  },
  ErrorCode: {
    type: 'string',
    enum: Object.keys(catalogue),
    description: 'The reason, for programs: branch on the HTTP status and this code. Its meaning never changes.',
  },
  ErrorDetails: {
    type: 'object',
    description: 'More information for programs; on some errors only.',
    properties: detailFields,
  },
};

export function successSchema(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['success', 'data', 'request_id'],
    properties: {
      success: { type: 'boolean', const: true, description: 'Always true.' },
      data,
      request_id: requestId,
    },
  };
}
