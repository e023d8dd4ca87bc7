import type { NumberReason } from '../../../src/portal/wire/operator.ts';

/** Reads one parameter of an address; undefined: there is none, or nothing that is understood. */
type Read<Value> = (written: unknown) => Value | undefined;

/** A text. A number typed into the address is a text here too. */
export const text: Read<string> = (written) =>
  (typeof written === 'string' && written !== '') || typeof written === 'number' ? String(written) : undefined;

/** A text of this form. */
const formed =
  (form: RegExp): Read<string> =>
  (written) => {
    const said = text(written);
    return said !== undefined && form.test(said) ? said : undefined;
  };

/** An id, such as an account's. The server refuses every request that names one in other characters. */
export const accountId = formed(/^[A-Za-z0-9_-]{1,64}$/);

/** Something that is there or not. */
export const flag: Read<boolean> = (written) => (written === true ? true : undefined);

/** One of a few words. */
export const oneOf =
  <const Word extends string>(...words: readonly Word[]): Read<Word> =>
  (written) =>
    words.find((word) => word === written);

/** A phone number. As a number, so that the address is ?with=15550123. */
export const phone: Read<number> = (written) => (/^[1-9]\d{5,14}$/.test(String(written)) ? Number(written) : undefined);

/** YYYY-MM-DD. */
export const day: Read<string> = (written) => {
  if (typeof written !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(written)) return undefined;
  const at = Date.parse(written);
  // Some browsers take February 31 for a day of March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(written) ? written : undefined;
};

/** When an hour begins. */
export const hour: Read<string> = (written) =>
  typeof written === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(written) && !Number.isNaN(Date.parse(written))
    ? written
    : undefined;

/** YYYY-MM. */
export const month: Read<string> = (written) =>
  typeof written === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(written) ? written : undefined;

/** A page of a list by its number; the first one is not written. */
export const pageNumber: Read<number> = (written) =>
  typeof written === 'number' && Number.isInteger(written) && written > 1 && written < 100_000 ? written : undefined;

/** The parameters of a list: its filters, its order, and the place in it. */
export function ofList<Name extends string>(...filters: readonly Name[]) {
  const names: readonly (Name | 'sort' | 'after' | 'before')[] = [...filters, 'sort', 'after', 'before'];
  return Object.fromEntries(names.map((name) => [name, text])) as Readonly<Record<(typeof names)[number], Read<string>>>;
}

/** As the keys of a table, so that none is missing. */
const reasons: Readonly<Record<NumberReason | 'restricted', true>> = {
  restricted: true,
  unlinked: true,
  banned: true,
  refused: true,
  disconnected: true,
  lost: true,
  replaced: true,
  version_refused: true,
  temporarily_banned: true,
  reach_out_blocked: true,
  new_chats_capped: true,
};

/** What narrows a list of numbers. The server refuses a list that is asked for with other words. */
export const ofNumbers = {
  ...ofList('search'),
  reason: oneOf(...(Object.keys(reasons) as (keyof typeof reasons)[])),
  standing: oneOf('connected', 'reconnecting', 'pairing', 'never_linked', 'needs_person'),
  status: oneOf('open', 'connecting', 'close'),
  network: oneOf('whatsapp', 'sandbox'),
};

/** What narrows the list of accounts; the same holds. */
export const ofAccounts = {
  ...ofList('search', 'outcome'),
  provider_id: accountId,
  state: oneOf('active', 'suspended', 'ended', 'no_plan', 'trial_nearly_used', 'trial_used_up'),
  plan: accountId,
  ends_within: formed(/^[1-9]\d{0,2}$/),
  needs_person: formed(/^1$/),
  sends: oneOf('failing', 'busy'),
  hour,
};

/** A role of people. */
export const role = oneOf('operator', 'provider_admin', 'owner', 'member');

/** What a page's address may say: what is not understood is left out of it. */
export function searchOf<Schema extends Readonly<Record<string, Read<unknown>>>>(schema: Schema) {
  type Found = { [Name in keyof Schema]?: Exclude<ReturnType<Schema[Name]>, undefined> };
  return (search: Record<string, unknown>): Found =>
    Object.fromEntries(
      Object.entries(schema).flatMap(([name, read]) => {
        const value = read(search[name]);
        return value === undefined ? [] : [[name, value]];
      }),
    ) as Found;
}
