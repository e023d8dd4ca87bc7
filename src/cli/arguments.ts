import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { isUuid, normalisePhoneNumber, OperatorError, readMoment } from '../core/index.ts';

// Each of these reads one word of the command line; commander reports the InvalidArgumentError together with the option's name.

/** A whole number within the bounds. */
export const wholeNumber =
  ({ min, max }: { readonly min: number; readonly max: number }) =>
  (text: string): number => {
    if (!/^[0-9]{1,15}$/.test(text) || Number(text) < min || Number(text) > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return Number(text);
  };

/** The word `none`, or anything else as `parse` reads it. */
export const orNone =
  <T>(parse: (text: string) => T) =>
  (text: string): T | 'none' =>
    text === 'none' ? 'none' : parse(text);

/** `none` as null. It is a step of its own because commander makes an empty text of a null that a parser gives. */
export function noneAsNull<T>(value: T | 'none' | undefined): T | null | undefined {
  return value === 'none' ? null : value;
}

/** What `check` makes of the text; its OperatorError becomes a mistake in the argument. */
export const checked =
  <T>(check: (text: string) => T) =>
  (text: string): T => {
    try {
      return check(text);
    } catch (error) {
      if (error instanceof OperatorError) throw new InvalidArgumentError(`${error.message}.`);
      throw error;
    }
  };

/** A UTC day, YYYY-MM-DD. */
export function day(text: string): string {
  if (!z.iso.date().safeParse(text).success) throw new InvalidArgumentError('It must be a UTC day such as 2026-12-31.');
  return text;
}

/** A day (its first moment, UTC) or a time with zone, both ISO 8601, in epoch milliseconds. */
export const time = checked(readMoment);

/** The digits of a phone number in international form. */
export function phoneNumber(text: string): string {
  const digits = normalisePhoneNumber(text);
  if (digits === null) throw new InvalidArgumentError('It must be 6 to 15 digits with country code and no leading zero.');
  return digits;
}

/** The id of something that is named by a UUID only. */
export function uuid(text: string): string {
  if (!isUuid(text)) throw new InvalidArgumentError('It must be an id (a UUID).');
  return text.toLowerCase();
}
