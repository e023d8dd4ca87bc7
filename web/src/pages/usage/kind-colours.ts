import type { KindView } from '../../../../src/portal/wire/sending.ts';
import { kindName } from '../../parts/kind.tsx';

/** A kind with how it is drawn. */
export interface KindColour {
  readonly type: string;
  readonly name: string;
  /** A colour of the theme. */
  readonly colour: string;
}

/** Neighbours differ in lightness too, so that they can be told apart without seeing hues. */
const colours = [
  'teal.7',
  'blue.4',
  'orange.6',
  'grape.7',
  'cyan.4',
  'pink.6',
  'lime.6',
  'indigo.6',
  'yellow.5',
  'red.7',
  'violet.4',
  'gray.6',
];

/** The colour of each kind that occurs, in the order of all kinds: a kind keeps its colour whatever is shown. */
export function kindColours(kinds: readonly Pick<KindView, 'type'>[], sends: Readonly<Record<string, number>>): readonly KindColour[] {
  return kinds.flatMap(({ type }, place) =>
    (sends[type] ?? 0) > 0 ? [{ type, name: kindName(type), colour: colours[place % colours.length] ?? 'gray.6' }] : [],
  );
}
