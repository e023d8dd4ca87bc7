import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Json, literal, phpLiterals, pythonLiterals, shellWord, typescriptLiterals } from '../../src/code/literals.ts';
import { languagePrograms } from '../support/languages.ts';
import { rounds } from '../support/run-options.ts';

// Whatever is written into a form must be exactly that in the program that is copied out of it. Many values a process: starting one costs more.

let programs: ReturnType<typeof languagePrograms>;
beforeAll(() => {
  programs = languagePrograms();
});

/** Characters that some language treats in its own way, among all others. */
const character = fc.oneof(
  fc.constantFrom(
    ...`'"\`$\\{}()[]<>%!#&|;?*~^:@,./-+= \n\r\t\b\f\v\0\x1b\x7f`,
    '\u00a0',
    '\u200b',
    '\u200d',
    '\u2028',
    '\u2029',
    '\u202e',
    '\ufeff',
    '😀',
    'é',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const text = fc.oneof(
  fc.array(character, { maxLength: 20 }).map((units) => units.join('')),
  fc.constantFrom(
    `$\{PATH}`,
    '$(id)',
    '{$x}',
    '\\u0041',
    '\\n',
    "'''",
    '"""',
    '%s',
    '<?php',
    '?>',
    '__proto__',
    'None',
    'EOF',
    '@/etc/passwd',
  ),
);
const value = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 4 }),
    // PHP has no objects with names that begin with NUL.
    fc.dictionary(
      text.filter((name) => !name.startsWith('\0')),
      tie('any'),
      { maxKeys: 4 },
    ),
  ),
})).any;
const many = fc.sample(fc.record({ value, text }), rounds({ short: 400, long: 4000 }));
const values = many.map((one) => one.value);

describe('any value is the same in the language as it was in the form', () => {
  test('TypeScript', () => {
    for (const one of values)
      expect(JSON.stringify(new Function(`return ${literal(one, typescriptLiterals)}`)())).toBe(JSON.stringify(one));
  });

  test('Python', () => {
    const program = ['import json', ...values.map((one) => `print(json.dumps(${literal(one, pythonLiterals)}))`)].join('\n');
    expect(told(execFileSync(programs.python, ['-'], { input: program, maxBuffer: 1e9 }))).toEqual(values);
  });

  test('PHP', () => {
    const options = 'JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION';
    const program = ['<?php', ...values.map((one) => `echo json_encode(${literal(one, phpLiterals)}, ${options}), "\\n";`)].join('\n');
    const settings = ['-n', '-d', 'serialize_precision=-1'];
    expect(told(execFileSync(programs.php, settings, { input: program, maxBuffer: 1e9 }))).toEqual(values);
  });

  test('a word of the shell', () => {
    // No program can be given a NUL as a word; in JSON it is an escape.
    const words = many.map((one) => one.text.replaceAll('\0', ''));
    const program = words.map((word) => `printf '%s\\0' ${shellWord(word)}`).join('\n');
    const said = execFileSync(programs.sh, ['-s'], { input: program, maxBuffer: 1e9 }).toString();
    expect(said.split('\0').slice(0, -1)).toEqual(words);
  });
});

function told(output: Buffer): unknown[] {
  return output
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
