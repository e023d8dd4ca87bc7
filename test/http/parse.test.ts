import { expect, it } from 'vitest';
import { z } from 'zod';
import { messageValidator, zodValidator } from '../../src/http/parse.ts';

it.each([
  ['zodValidator', zodValidator],
  ['messageValidator', messageValidator],
])('%s answers with the error when a schema throws', (_, validator) => {
  const failure = new RangeError('too much');
  const schema = z.string().transform(() => {
    throw failure;
  });
  expect(validator({ schema, method: 'POST', url: '/' })('x')).toEqual({ error: failure });
});
