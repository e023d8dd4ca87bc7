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
  snake,
  wrapped,
} from './document.ts';

const width = 130;
const keywords = new Set(['class', 'from', 'global', 'import', 'in', 'is', 'not', 'pass']);

/** packages/client-python/messaging_gateway.py */
export function pythonClient(document: ApiDocument): string {
  const template = readFileSync(join(import.meta.dirname, 'client.py'), 'utf8');
  const header = [
    '"""A client for the messaging gateway: sends WhatsApp messages exactly once. README.md says how.',
    '',
    'Made by scripts/clients.ts from docs/openapi.json and scripts/clients/client.py.',
    '"""',
    '',
  ];
  const kinds = document.operations.flatMap(({ kind, body }) => (kind === null || body === null ? [] : [{ kind, schema: body.schema }]));
  const types = [
    // A class comes after those that it extends.
    ...[...document.schemas].toSorted(([, a], [, b]) => extended(a) - extended(b)).flatMap(([name, schema]) => typeOf(name, schema)),
    ...kinds.flatMap(({ kind, schema }) => [
      ...['', '', `class ${pascal(kind)}Message(${schema}):`],
      ...[`    type: Literal[${JSON.stringify(kind)}]`, '    id: NotRequired[str]'],
    ]),
    ...[
      '',
      '',
      ...union(
        'Message',
        kinds.map(({ kind }) => `${pascal(kind)}Message`),
        'One message of many.',
      ),
    ],
    ...['', ...union('WebhookEvent', document.webhooks, 'What the gateway delivers, by `type`.')],
  ];
  const errors = document.errorCodes.flatMap((code, index) => [
    ...(index === 0 ? [] : ['', '']),
    ...[`class ${pascal(code)}(ApiError):`, `    """\`${code}\`"""`],
  ]);
  const table = [
    '',
    '',
    '_ERRORS: Dict[str, type[ApiError]] = {',
    ...document.errorCodes.map((code) => `    "${code}": ${pascal(code)},`),
    '}',
  ];
  const methods = document.operations.flatMap((operation, index) => [...(index === 0 ? [] : ['']), ...methodOf(operation)]);
  // The first type comes after the blank lines of the template.
  return header.join('\n') + filled(template, { types: types.slice(2), errors: [...errors, ...table], methods });
}

const extended = ({ allOf }: Schema): number => (allOf === undefined ? 0 : 1);

function union(name: string, members: readonly string[], about: string): readonly string[] {
  return [`${name} = Union[`, ...members.map((one) => `    ${one},`), ']', `"""${about}"""`];
}

/** A class for objects, an alias for all else. */
function typeOf(name: string, schema: Schema): readonly string[] {
  if (schema.enum !== undefined) return ['', '', `${name} = ${annotation(schema, name)}`, ...docs(schema.description, '')];
  const bases = (schema.allOf ?? []).filter(({ $ref }) => $ref !== undefined).map(nameOf);
  const fields = [schema, ...(schema.allOf ?? [])].flatMap(fieldsOf);
  const nested = fields.flatMap((field) => nestedTypes(name, field));
  if (fields.some((field) => keywords.has(field.name))) {
    const entries = fields.map((field) => `        ${JSON.stringify(field.name)}: ${JSON.stringify(fieldType(name, field))},`);
    return [
      ...nested,
      '',
      '',
      `${name} = TypedDict(`,
      `    "${name}",`,
      '    {',
      ...entries,
      '    },',
      ')',
      ...docs(schema.description, ''),
    ];
  }
  const body = [
    ...docs(schema.description, '    '),
    ...fields.flatMap((field, index) => [
      ...(index === 0 && schema.description === undefined ? [] : ['']),
      `    ${field.name}: ${fieldType(name, field)}`,
      ...docs(field.description, '    '),
    ]),
  ];
  return [...nested, '', '', `class ${name}(${bases.length > 0 ? bases.join(', ') : 'TypedDict'}):`, ...body];
}

function fieldType(parent: string, { name, schema, required }: Field): string {
  const type = annotation(schema, parent + pascal(name));
  return required ? type : `NotRequired[${type}]`;
}

/** The objects that a field describes in place get names of their own. */
function nestedTypes(parent: string, { name, schema }: Field): readonly string[] {
  const options = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  const inner = schema.items ?? schema;
  const several = [...(inner.oneOf ?? []), ...options];
  if (several.length > 0)
    return [...new Set(several)].flatMap((one) => (isObject(one) ? typeOf(nestedName(parent + pascal(name), one), one) : []));
  return isObject(inner) ? typeOf(parent + pascal(name), inner) : [];
}

const nestedName = (name: string, { title }: Schema): string => (title === undefined ? name : name + pascal(title));

const isObject = ({ properties }: Schema): boolean => properties !== undefined && Object.keys(properties).length > 0;

/** The annotation of a schema; `name` is the one of an object that is described in place. */
function annotation(schema: Schema, name: string): string {
  if (schema.$ref !== undefined) return nameOf(schema);
  if (isSwitch(schema)) return 'bool';
  if (schema.const !== undefined)
    return `Literal[${schema.const === true ? 'True' : schema.const === false ? 'False' : JSON.stringify(schema.const)}]`;
  if (schema.enum !== undefined) return `Literal[${schema.enum.map((one) => JSON.stringify(one)).join(', ')}]`;
  const several = schema.oneOf ?? schema.anyOf;
  if (several !== undefined) return several.map((one) => annotation(one, nestedName(name, one))).join(' | ');
  if (typeof schema.type === 'object') return schema.type.map((type) => annotation({ ...schema, type }, name)).join(' | ');
  if (schema.type === 'array') return `List[${annotation(schema.items ?? {}, name)}]`;
  if (schema.type === 'object') return isObject(schema) ? name : 'Dict[str, Any]';
  return { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[schema.type ?? ''] ?? 'Any';
}

function docs(text: string | undefined, indent: string): readonly string[] {
  if (text === undefined || text === '') return [];
  const lines = wrapped(escaped(text), width - indent.length - 6);
  if (lines.length === 1) return [`${indent}"""${lines[0]}"""`];
  return lines.map((line, index) => indent + (index === 0 ? `"""${line}` : line) + (index === lines.length - 1 ? '"""' : ''));
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");

function methodOf(operation: Operation): readonly string[] {
  const { name, pathFields, query, body, kind, about } = operation;
  const fields = [...(body?.fields ?? []), ...query].toSorted((a, b) => Number(b.required) - Number(a.required));
  const parent = body?.schema ?? pascal(name);
  const parameter = ({ name: own, schema, required }: Field) => {
    const type = annotation(schema, parent + pascal(own));
    return `        ${own}: ${required ? type : `${type} | None = None`},`;
  };
  const about2 = [...about, ...(operation.method === 'POST' && kind === null && !operation.repeatable ? [notRepeated] : [])];
  const described = [
    ...fields.map((field) => ({ name: field.name, description: field.description })),
    ...(kind === null ? [] : [keyField]),
    deadlineField,
  ];
  return [
    ...[`    def ${snake(name)}(`, '        self,', ...pathFields.map(parameter), '        *,', ...fields.map(parameter)],
    ...(kind === null ? [] : ['        idempotency_key: str | None = None,']),
    ...['        deadline: float | None = None,', `    ) -> ${annotation(operation.result, parent)}:`],
    ...[
      `        """${escaped(about2[0] ?? '')}`,
      ...about2.slice(1).flatMap((text) => ['', ...wrapped(escaped(text), width - 8).map((line) => `        ${line}`)]),
    ],
    ...['', ...described.flatMap((field) => parameterDocs(field.name, escaped(field.description)))],
    ...['        """', ...callOf(operation, fields)],
  ];
}

const notRepeated = 'Not repeated when its outcome is unknown.';
const keyField = {
  name: 'idempotency_key',
  description:
    'Your own name for the message: repeated within 24 hours, also by another process, it gives the first result and sends nothing. Made if not given.',
};
const deadlineField = { name: 'deadline', description: "How many seconds the call may take, instead of the client's." };

function parameterDocs(name: string, description: string): readonly string[] {
  return wrapped(`${name}: ${description}`, width - 12).map((line, index) => `        ${index === 0 ? '' : '    '}${line}`);
}

function callOf({ method, path, kind, body, query, repeatable }: Operation, fields: readonly Field[]): readonly string[] {
  const dictionary = (of: readonly Field[]) => ['{', ...of.map(({ name }) => `            "${name}": ${name},`), '        }'].join('\n');
  if (kind !== null)
    return [`        body = ${dictionary(body?.fields ?? [])}`, `        return self._send("${kind}", body, idempotency_key, deadline)`];
  const place = path.includes('{id}') ? `f"${path.replace('{id}', '{_quoted(instance_id)}')}"` : `"${path}"`;
  if (method === 'DELETE') return [`        return self._delete(instance_id, ${place}, logout_only=logout_only, deadline=deadline)`];
  const given = fields.length === 0 ? [] : [`        fields = ${dictionary(fields)}`];
  const words = [`"${method}"`, place, ...(query.length > 0 ? ['query=fields'] : body === null ? [] : ['body=fields'])];
  if (repeatable) words.push('repeatable=True');
  return [...given, `        return self._call(${[...words, 'deadline=deadline'].join(', ')})`];
}
