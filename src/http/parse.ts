import type { FastifySchemaCompiler } from 'fastify';
import { ZodError, type z } from 'zod';
import { GatewayError } from '../core/index.ts';
import { deepestNesting, describeIssues, isStorableText, isText, type MalformedPart, malformedParts } from '../kinds/index.ts';

/** Fastify's validator: Zod parses, and a failure becomes `invalid_request` naming every field (decisions §1). */
export const zodValidator = validatorFor(isStorableText, 'must be text; it holds half of a surrogate pair or the character U+0000');

/** The same for the body of a message, which is delivered and never stored as text: there U+0000 is a character like any other. */
export const messageValidator = validatorFor(isText, 'must be text; it holds half of a surrogate pair');

const tooDeep = `must not be nested more than ${deepestNesting} levels deep`;

function validatorFor(accepts: (text: string) => boolean, notText: string): FastifySchemaCompiler<z.ZodType> {
  return ({ schema }) =>
    (data: unknown) => {
      const parsed = schema.safeParse(data);
      if (parsed.success) {
        const malformed = malformedParts(parsed.data, accepts);
        return malformed.length === 0 ? { value: parsed.data } : { error: invalidRequest(malformedError(malformed, notText)) };
      }
      // Only a failure is parsed again with the input in its issues, which shows what is missing and what is mistyped.
      const again = schema.safeParse(data, { reportInput: true });
      return { error: again.success ? new Error('a schema gave two different answers') : invalidRequest(again.error) };
    };
}

function malformedError(parts: readonly MalformedPart[], notText: string): z.ZodError {
  return new ZodError(
    parts.map(({ path, problem }) => ({ code: 'custom', path, message: problem === 'text' ? notText : tooDeep, input: null })),
  );
}

function invalidRequest(error: z.ZodError): GatewayError {
  const errors = describeIssues(error);
  const [first] = errors;
  const details = first === undefined || first.field === '' ? {} : { field: first.field };
  return new GatewayError(
    'invalid_request',
    `${first?.message ?? 'The body is not valid'}.`,
    errors.length > 1 ? { ...details, errors } : details,
  );
}
