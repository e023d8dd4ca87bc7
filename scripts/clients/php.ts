import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ApiDocument,
  type Field,
  fieldsOf,
  filled,
  isSwitch,
  nameOf,
  type Operation,
  pascal,
  type Schema,
  wrapped,
} from './document.ts';

const width = 130;

/** packages/client-php/MessagingGateway.php */
export function phpClient(document: ApiDocument): string {
  const template = readFileSync(join(import.meta.dirname, 'client.php'), 'utf8');
  const types = [...document.schemas].map(([name, schema]) => ` * @phpstan-type ${name} ${shape(merged(schema, document), ' * ')}`);
  const kinds = document.operations.flatMap(({ kind }) => (kind === null ? [] : [`'${kind}'`]));
  types.push(` * @phpstan-type Message array{type: ${kinds.join('|')}, id?: string, instance_id: string, to: string, ...}`);
  types.push(` * @phpstan-type WebhookEvent ${document.webhooks.join('|')}`);
  const errors = document.errorCodes.flatMap((code, index) => [
    ...(index === 0 ? [] : ['']),
    ...[`/** \`${code}\` */`, `final class ${pascal(code)} extends ApiException`, '{', '}'],
  ]);
  const table = document.errorCodes.map((code) => `        '${code}' => ${pascal(code)}::class,`);
  const methods = document.operations.flatMap((operation, index) => [...(index === 0 ? [] : ['']), ...methodOf(operation)]);
  return filled(template, { types, errors, table, methods });
}

/** The object that all parts of a schema make together: PHPStan takes the shape of an array for all that is in it. */
function merged(schema: Schema, { schemas }: ApiDocument): Schema {
  const parts = schema.allOf?.map((one) => schemas.get(nameOf(one)) ?? one);
  if (parts === undefined) return schema;
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Record<string, Schema>,
    required: parts.flatMap(({ required = [] }) => required),
  };
}

/** The type of a schema in the words of PHPStan and Psalm. `indent` begins the lines of an object's fields. */
function shape(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return nameOf(schema);
  if (isSwitch(schema)) return 'bool';
  if (schema.const !== undefined) return typeof schema.const === 'string' ? `'${schema.const}'` : String(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((one) => `'${one}'`).join('|');
  const several = schema.oneOf ?? schema.anyOf;
  if (several !== undefined) return several.map((one) => shape(one, indent)).join('|');
  if (typeof schema.type === 'object') return schema.type.map((type) => shape({ ...schema, type }, indent)).join('|');
  if (schema.type === 'array') return `list<${shape(schema.items ?? {}, indent)}>`;
  if (schema.type === 'object') {
    const fields = fieldsOf(schema);
    if (fields.length === 0) return 'array<string, mixed>';
    const inner = `${indent}  `;
    return `array{\n${fields.map((field) => `${inner}${field.name}${field.required ? '' : '?'}: ${shape(field.schema, inner)},\n`).join('')}${indent}}`;
  }
  return { string: 'string', integer: 'int', number: 'float', boolean: 'bool', null: 'null' }[schema.type ?? ''] ?? 'mixed';
}

/** The type of a parameter in PHP's own words. */
function native(schema: Schema): string {
  if (isSwitch(schema)) return 'bool';
  const several = schema.oneOf ?? schema.anyOf;
  if (several !== undefined) return [...new Set(several.map(native))].toSorted().join('|');
  if (schema.type === 'array') return 'array';
  // Only an object keeps an empty one from becoming a list.
  if (schema.type === 'object') return 'array|object';
  return { string: 'string', integer: 'int', number: 'float', boolean: 'bool' }[String(schema.type)] ?? 'mixed';
}

function methodOf(operation: Operation): readonly string[] {
  const { name, pathFields, query, body, kind, about } = operation;
  const fields = [...pathFields, ...[...(body?.fields ?? []), ...query].toSorted((a, b) => Number(b.required) - Number(a.required))];
  const parameter = ({ name: own, schema, required }: Field) => {
    const type = native(schema);
    const optional = type.includes('|') ? `${type}|null` : `?${type}`;
    return `        ${required ? type : optional} $${own}${required ? '' : ' = null'},`;
  };
  const texts = [...about, ...(operation.method === 'POST' && kind === null && !operation.repeatable ? [notRepeated] : [])];
  const described = [
    ...fields.map(({ name: own, schema, required, description }) => ({
      ...{ name: own, type: shape(schema, '     *   ') + (required ? '' : '|null'), description },
    })),
    ...(kind === null ? [] : [keyField]),
    deadlineField,
  ];
  return [
    '    /**',
    ...texts.flatMap((text, index) => [...(index === 0 ? [] : ['     *']), ...wrapped(text, width - 7).map((line) => `     * ${line}`)]),
    '     *',
    ...described.flatMap(({ name: own, type, description }) => parameterDocs(type, own, description)),
    `     * @return ${shape(operation.result, '     * ')}`,
    '     */',
    `    public function ${name}(`,
    ...fields.map(parameter),
    ...(kind === null ? [] : ['        ?string $idempotencyKey = null,']),
    ...['        ?float $deadline = null,', '    ): array {', ...callOf(operation), '    }'],
  ];
}

const notRepeated = 'Not repeated when its outcome is unknown.';
const keyField = {
  ...{ name: 'idempotencyKey', type: 'string|null' },
  description:
    'Your own name for the message: repeated within 24 hours, also by another process, it gives the first result and sends nothing. Made if not given.',
};
const deadlineField = { name: 'deadline', type: 'float|null', description: "How many seconds the call may take, instead of the client's." };

function parameterDocs(type: string, name: string, description: string): readonly string[] {
  if (type.includes('\n')) return [`     * @param ${type} $${name} ${description}`];
  return wrapped(`@param ${type} $${name} ${description}`, width - 9).map((line, index) => `     * ${index === 0 ? '' : '  '}${line}`);
}

function callOf({ method, path, kind, body, query, repeatable }: Operation): readonly string[] {
  const fields = [...(body?.fields ?? []), ...query];
  const given =
    fields.length === 0 ? [] : ['        $fields = [', ...fields.map(({ name }) => `            '${name}' => $${name},`), '        ];'];
  if (kind !== null) return [...given, `        return $this->send('${kind}', $fields, $idempotencyKey, $deadline);`];
  const place = path.includes('{id}')
    ? `'${path.replace('{id}', `' . \\rawurlencode($instance_id) . '`)}'`.replace(/ \. ''$/, '')
    : `'${path}'`;
  if (method === 'DELETE') return [`        return $this->delete($instance_id, ${place}, $logout_only ?? false, $deadline);`];
  const words = [`'${method}'`, place, ...(query.length > 0 ? ['query: $fields'] : body === null ? [] : ['body: $fields'])];
  if (repeatable) words.push('repeatable: true');
  return [...given, `        return $this->call(${[...words, 'deadline: $deadline'].join(', ')});`];
}
