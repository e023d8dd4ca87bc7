import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** A field of a body. The entries of a list are values, or objects with these fields. */
export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly items?: 'values' | readonly Field[];
}

export interface Kind {
  readonly path: string;
  readonly fields: readonly Field[];
}

/** What an item's parameters say of these fields. Optional ones that are empty are left out. */
export function bodyOf(context: IExecuteFunctions, fields: readonly Field[], itemIndex: number): IDataObject {
  const additional = context.getNodeParameter('additionalFields', itemIndex, {}) as IDataObject;
  const body: IDataObject = {};
  for (const { name, required, items } of fields) {
    if (!required) {
      const value = additional[name];
      if (value !== undefined && value !== '') body[name] = value;
    } else if (items === undefined) body[name] = context.getNodeParameter(name, itemIndex) as string;
    else if (context.getNodeParameter(`${name}_input`, itemIndex, 'fields') === 'json') body[name] = jsonOf(context, name, itemIndex);
    else body[name] = listOf(items, context.getNodeParameter(name, itemIndex, {}));
  }
  return body;
}

/** JSON as text, or what an expression gave. */
function jsonOf(context: IExecuteFunctions, name: string, itemIndex: number): IDataObject {
  const value = context.getNodeParameter(`${name}_json`, itemIndex);
  if (typeof value !== 'string') return value as IDataObject;
  try {
    return JSON.parse(value) as IDataObject;
  } catch {
    throw new NodeOperationError(context.getNode(), `${name} is not valid JSON`, { itemIndex });
  }
}

/** n8n keeps the entries of a list of objects under the name of their group. */
function listOf(items: 'values' | readonly Field[], value: unknown): IDataObject[] {
  if (items === 'values') return value as IDataObject[];
  const rows = (value as { readonly items?: readonly IDataObject[] }).items ?? [];
  return rows.map((row) => {
    const entry: IDataObject = {};
    for (const { name, required, items: inner } of items) {
      if (inner !== undefined) entry[name] = listOf(inner, row[name] ?? {});
      else if (required || (row[name] !== undefined && row[name] !== '')) entry[name] = row[name];
    }
    return entry;
  });
}
