import { expect } from 'vitest';
import { type AnyErrorCode, GatewayError } from '../../src/core/index.ts';
import type { Answer } from '../support/gateway.ts';

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** An answer in short: `200`, or its status and error code, `404 not_found`. Fails unless the answer has the envelope of the contract. */
export function outcome(answer: Answer): string {
  const { body, headers } = answer;
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(body.request_id).toMatch(uuid7);
  expect(headers.get('x-request-id')).toBe(body.request_id);
  if (answer.status === 200) {
    expect(Object.keys(body).sort()).toEqual(['data', 'request_id', 'success']);
    expect(body).toMatchObject({ success: true, data: expect.any(Object) });
    return '200';
  }
  expect(Object.keys(body).sort()).toEqual(['error', 'request_id', 'success']);
  expect(body).toMatchObject({ success: false, error: { code: expect.any(String), message: expect.any(String) } });
  expect(Object.keys(body.error).filter((name) => !['code', 'message', 'details', 'doc_url'].includes(name))).toEqual([]);
  expect(new GatewayError(body.error.code as AnyErrorCode, '').status).toBe(answer.status);
  return `${answer.status} ${body.error.code}`;
}

/** What a refused field is answered with: the outcome, the field, and the message, which names it. */
export function refusedField(answer: Answer): { outcome: string; field: unknown; message: string } {
  const { message, details } = answer.body.error ?? {};
  return { outcome: outcome(answer), field: details?.field, message };
}
