import { z } from 'zod';

/** A parsed value without the fields that have their default or are empty. */
export type Normalise = (value: unknown) => unknown;

/**
 * Makes bodies that mean the same equal (decisions §3), from the schema alone: an optional field with its documented default, or an empty text,
 * is left out. Fields with a default of Zod's are filled in by parsing already. null: the schema has no such fields.
 */
export function normaliserOf(schema: z.core.$ZodType): Normalise | null {
  if (schema instanceof z.ZodObject) return ofObject(schema);
  if (schema instanceof z.ZodArray) {
    const item = normaliserOf(schema.element);
    return item === null ? null : (value) => (value as readonly unknown[]).map(item);
  }
  if (schema instanceof z.ZodDiscriminatedUnion) return ofVariants(schema);
  return null;
}

interface FieldRule {
  readonly name: string;
  readonly optional: boolean;
  /** The documented default; undefined: none. */
  readonly standard: unknown;
  readonly inside: Normalise | null;
}

function ofObject({ shape }: z.ZodObject): Normalise | null {
  const rules = Object.entries(shape).map(([name, field]): FieldRule => {
    const optional = field instanceof z.ZodOptional;
    const standard = z.globalRegistry.get(field)?.default;
    return { name, optional, standard, inside: normaliserOf(optional ? field.unwrap() : field) };
  });
  const relevant = rules.filter(({ optional, inside }) => optional || inside !== null);
  if (relevant.length === 0) return null;
  return (value) => {
    let fields = value as Readonly<Record<string, unknown>>;
    for (const { name, optional, standard, inside } of relevant) {
      const held = fields[name];
      // Most bodies have no such fields and need no copy.
      if (held === undefined) continue;
      if (optional && (held === '' || held === standard)) {
        const { [name]: _, ...rest } = fields;
        fields = rest;
      } else if (inside !== null) fields = { ...fields, [name]: inside(held) };
    }
    return fields;
  };
}

function ofVariants(schema: z.ZodDiscriminatedUnion): Normalise | null {
  const { discriminator } = schema.def;
  const variants = new Map<unknown, Normalise>();
  for (const option of schema.options) {
    const inside = normaliserOf(option);
    const values = option instanceof z.ZodObject ? option.shape[discriminator]?._zod.values : undefined;
    for (const value of values ?? []) if (inside !== null) variants.set(value, inside);
  }
  if (variants.size === 0) return null;
  return (value) => variants.get((value as Readonly<Record<string, unknown>>)[discriminator])?.(value) ?? value;
}
