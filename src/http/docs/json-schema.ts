import { z } from 'zod';
import type { JsonSchema } from './operation.ts';

/** What the schema accepts, before it normalises anything, as JSON Schema 2020-12. */
export function acceptedJson(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' });
  return json;
}

/** Schemas as the document has them, by their names; parts that have an id stand among its components. */
export function documentSchemas(schemas: Readonly<Record<string, z.ZodType>>): {
  readonly byName: Readonly<Record<string, JsonSchema>>;
  readonly components: Readonly<Record<string, JsonSchema>>;
} {
  const json = JSON.parse(JSON.stringify(acceptedJson(z.object(schemas))).replaceAll('"#/$defs/', '"#/components/schemas/'));
  return { byName: json.properties, components: json.$defs ?? {} };
}
