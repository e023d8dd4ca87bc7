import { ApiError } from './client.ts';

/** What a failure says of one field or several. */
interface AboutFields {
  readonly field?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

/** The server's messages by field name; empty when the failure is not about fields. */
export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {};
  const { field, errors = field === undefined ? [] : [{ field, message: error.message }] } = error.details as AboutFields;
  return Object.fromEntries(errors.map((one) => [one.field, atField(one)]));
}

/** Said beside the title, "title must be …" is "Must be …". */
export function atField({ field, message }: { readonly field: string; readonly message: string }): string {
  const rest = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
