import type { FastifySchemaCompiler } from 'fastify';
import { ZodError, type z } from 'zod';
import { GatewayError } from '../core/index.ts';
import { describeIssues, isStorableText, isText, malformedTexts } from '../kinds/index.ts';

/** Fastify's validator: Zod parses, and a failure becomes `invalid_request` naming every field (decisions §1). */
export const zodValidator = validatorFor(isStorableText, 'must be text; it holds half of a surrogate pair or the character U+0000');

/** The same for the body of a message, which is delivered and never stored as text: there U+0000 is a character like any other. */
export const messageValidator = validatorFor(isText, 'must be text; it holds half of a surrogate pair');

function validatorFor(accepts: (text: string) => boolean, message: string): FastifySchemaCompiler<z.ZodType> {
  return ({ schema }) =>
    (data: unknown) => {
      const parsed = schema.safeParse(data);
      if (parsed.success) {
        const malformed = malformedTexts(parsed.data, accepts);
        return malformed.length === 0 ? { value: parsed.data } : { error: invalidRequest(notText(malformed, message)) };
      }
      // Only a failure is parsed again with the input in its issues, which shows what is missing and what is mistyped.
      const again = schema.safeParse(data, { reportInput: true });
      return { error: again.success ? new Error('a schema gave two different answers') : invalidRequest(again.error) };
    };
}

function notText(paths: PropertyKey[][], message: string): z.ZodError {
  return new ZodError(paths.map((path) => ({ code: 'custom', path, message, input: null })));
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
