import { allKinds, type Content, describeIssues, type FieldError, type Kind, type MessageType } from '../../src/kinds/index.ts';

/** A character outside the basic plane: one code point, two UTF-16 units, four bytes. */
export const astral = '𝔸';

export const addressing = { instance_id: '0190a0a0-0000-7000-8000-000000000001', to: '+49 170 1234567' };

/** The kind of a type, from the list that the program uses. */
export function kindOf(type: MessageType): Kind {
  const kind = allKinds.find((one) => one.type === type);
  if (kind === undefined) throw new Error(`no kind ${type}`);
  return kind;
}

/** The first example of a kind. */
export function exampleOf(type: MessageType): Content {
  const [example] = Object.values(kindOf(type).examples);
  if (example === undefined) throw new Error(`no example of ${type}`);
  return example;
}

/** The content of an addressed body; throws with the errors when it is refused. */
export function accept(type: MessageType, own: object): Content {
  const kind = kindOf(type);
  const result = kind.schema.safeParse({ ...addressing, ...own }, { reportInput: true });
  if (!result.success) throw new Error(JSON.stringify(describeIssues(result.error)));
  return kind.content(result.data);
}

/** The errors of an addressed body; throws when it is accepted. */
export function refuse(type: MessageType, own: object): FieldError[] {
  const result = kindOf(type).schema.safeParse({ ...addressing, ...own }, { reportInput: true });
  if (result.success) throw new Error(`accepted: ${JSON.stringify(own).slice(0, 200)}`);
  return describeIssues(result.error);
}

/** The fields that a body is refused for. */
export function refusedFields(type: MessageType, own: object): string[] {
  return refuse(type, own).map((error) => error.field);
}

/** True when the body is accepted. */
export function accepts(type: MessageType, own: object): boolean {
  return kindOf(type).schema.safeParse({ ...addressing, ...own }).success;
}
