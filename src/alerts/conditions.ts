/**
 * What somebody can be told of. A condition holds for a number or an account, or it does not; its beginning and its end are told. The sentence
 * says what begins, for people.
 */
export const conditions = {
  number_needs_person: 'a number was linked, and only a person can bring it back',
  number_restricted: 'WhatsApp restricts a number: banned for a time, or no new chats',
  trial_nearly_used: 'four fifths of a trial account’s messages are used',
  access_ending: 'the plan or the access of an account ends within 7 days, or has ended',
} as const;

export type Condition = keyof typeof conditions;

export const conditionNames = Object.keys(conditions) as Condition[];

export function isCondition(word: string): word is Condition {
  return Object.hasOwn(conditions, word);
}
