import type { z } from 'zod';

/** One thing wrong with a body. `field` is a path in the contract's notation, for example `sections[1].rows[0].row_id`. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** A person mends a few mistakes at a time, and an answer must not grow with a hostile body. */
export const errorLimit = 20;

/** The longest name of a field that is repeated to a caller, who chooses it where a body may hold anything. */
const longestName = 100;

/** A path in the contract's notation: names joined by dots, list positions in brackets from 0. */
export function fieldPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? nameOf(step) : `.${nameOf(step)}`;
  }
  return text;
}

/** What is no text in it, or could not be stored, is shown as U+FFFD. */
function nameOf(step: PropertyKey): string {
  return String(step)
    .slice(0, longestName)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\ufffd');
}

/**
 * What is wrong with a body: per field its first mistake, as a sentence that begins with the field; at most 20 fields.
 * Parse with `reportInput: true`, so that missing and mistyped differ.
 */
export function describeIssues(error: z.ZodError): FieldError[] {
  const found = new Map<string, FieldError>();
  for (const issue of error.issues) {
    if (found.size === errorLimit) break;
    const field = fieldPath(issue.path);
    // A second sentence about the same value would only repeat the first ("1 to 4096 characters", "not blank").
    if (!found.has(field)) found.set(field, { field, message: `${field === '' ? 'The body' : field} ${expectation(issue)}` });
  }
  return [...found.values()];
}

/** What was expected, as the rest of a sentence. */
function expectation(issue: z.core.$ZodIssue): string {
  if ('input' in issue && issue.input === undefined) return 'is required';
  // Our own sentences begin with "must"; everything else is library wording, which never reaches a response (decisions §1).
  if (issue.message.startsWith('must ')) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(issue.expected)}`;
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union':
      return unionExpectation(issue);
    case 'too_small':
      return `must ${size(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${size(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return 'must not have unknown fields';
    default:
      return 'must have the documented format';
  }
}

function unionExpectation(issue: z.core.$ZodIssueInvalidUnion): string {
  if ('options' in issue && issue.options !== undefined) return oneOf(issue.options);
  const choices = new Set(issue.errors.flatMap((errors) => errors.slice(0, 1)).map(expectation));
  return choices.size === 0 ? 'must have the documented format' : [...choices].join(' or ');
}

function oneOf(values: readonly z.core.util.Primitive[]): string {
  return values.length === 1 ? `must be ${String(values[0])}` : `must be one of ${values.map(String).join(', ')}`;
}

function size(origin: string, bound: string, limit: number | bigint): string {
  if (origin === 'string') return `be ${bound} ${limit} characters`;
  if (origin === 'array' || origin === 'set' || origin === 'map') return `have ${bound} ${limit} items`;
  return `be ${bound} ${limit}`;
}

function article(type: string): string {
  const name = { int: 'integer', array: 'list', record: 'object' }[type] ?? type;
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}
