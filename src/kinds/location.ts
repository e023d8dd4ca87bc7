import { z } from 'zod';
import { defineKind } from './define-kind.ts';
import { text } from './fields.ts';

/** Plain decimal notation: an optional sign, digits, an optional fraction; no exponent, hexadecimal, spaces or words. */
const decimal = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/;

/** Degrees within ±limit, as a number or as its decimal text, parsed to a number. */
function degrees(limit: number, description: string) {
  const error = `must be a number, or a string with a decimal number, from -${limit} to ${limit}`;
  return (
    z
      .union([z.number({ error }).min(-limit, { error }).max(limit, { error }), z.string({ error }).regex(decimal, { error })], { error })
      // Adding zero turns -0 into 0, which are the same place.
      .transform((value) => Number(value) + 0)
      .refine((value) => Math.abs(value) <= limit, { error })
      .meta({ description })
  );
}

/** A static pin on the map. */
export const location = defineKind({
  type: 'location',
  summary: 'Send a location',
  description: 'A static pin; live location is not supported. Coordinates are in decimal degrees.',
  fields: {
    latitude: degrees(90, 'Degrees north, -90 to 90.'),
    longitude: degrees(180, 'Degrees east, -180 to 180.'),
    name: text(0, 255).default('').meta({ description: 'Name of the place.' }),
    address: text(0, 512).default('').meta({ description: 'Address of the place.' }),
  },
  examples: {
    named: { latitude: 52.516275, longitude: 13.377704, name: 'Brandenburger Tor', address: 'Pariser Platz, 10117 Berlin' },
    bare: { latitude: '-33.856784', longitude: '151.215297' },
  },
});
