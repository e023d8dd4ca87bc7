import { z } from 'zod';

/** What the schema accepts, before it normalises anything, as JSON Schema 2020-12. */
export function acceptedJson(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' });
  return json;
}
