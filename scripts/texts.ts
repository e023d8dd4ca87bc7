import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from 'i18next-cli';
import { raiseOpenFileLimit } from '../src/core/index.ts';
import { allKinds } from '../src/kinds/index.ts';
import { kindView } from '../src/portal/routes/kinds.ts';
import { type Syntax, unwrappedTexts } from './unwrapped.ts';

// Writes the catalogues of the texts that people read: the translations of what the code says in English. New texts come with empty
// translations, what is used no more goes. With --check nothing is written, and it fails when something would be; --missing lists what has no translation.
const root = join(import.meta.dirname, '..');
const languages = ['pt-BR', 'es', 'id'] as const;

/**
 * Where texts are, where their catalogues are, and what is in these besides. Without `everyForm` there is none for millions where it would
 * be as the one for other counts: the pages look for that then, i18next does not.
 */
const rooms = [
  { from: ['src/**/*.ts'], to: 'src/language/locales', besides: [...textsOfKinds(), raiseOpenFileLimit], everyForm: true },
  { from: ['web/src/**/*.{ts,tsx}'], to: 'web/src/language/locales', besides: [], everyForm: false },
] as const;

/** What the forms of the kinds of messages say; it is written once, for the API's documentation and for them. */
function textsOfKinds(): readonly string[] {
  const texts = new Set<string>();
  for (const kind of allKinds)
    kindView(kind, (text) => {
      texts.add(text);
      return text;
    });
  return [...texts];
}

type Language = (typeof languages)[number];
/** As i18next reads it. */
interface Catalogue {
  readonly translation: Readonly<Record<string, string>>;
}

interface Extracted {
  readonly newTranslations: Partial<Catalogue>;
}

/** What is read of a call. */
interface Call extends Syntax {
  readonly arguments?: readonly { readonly expression: Call }[];
  readonly properties?: readonly Syntax[];
}

interface Keys {
  addKey(key: { readonly key: string; readonly defaultValue: string }): void;
}

/** The extractor does not see that `t('…', { count })` has a plural, as it sees of `{ count: count }`. */
const shorthandCount = {
  name: 'shorthand-count',
  onVisitNode(node: Call, { addKey }: Keys) {
    if (node.type !== 'CallExpression' || node.callee?.value !== 't') return;
    const [text, values] = (node.arguments ?? []).map(({ expression }) => expression);
    const properties = values?.properties ?? [];
    if (text?.type !== 'StringLiteral' || !properties.some(({ type, value }) => type === 'Identifier' && value === 'count')) return;
    addKey({ key: `${text.value}_other`, defaultValue: String(text.value) });
  },
};

/** Notes what people would read of the portal's pages in English, whatever their language is. */
const unwrapped: string[] = [];
let file = '';
const forgotten = {
  name: 'forgotten',
  onLoad(code: string, path: string) {
    file = path;
    return code;
  },
  onVisitNode(node: Syntax) {
    if (node.type === 'Module' && file.startsWith('web/src/')) unwrapped.push(...unwrappedTexts(node).map((text) => `${file}: ${text}`));
  },
};

/** The keys of a room's texts as its code has them, with the plural forms of English. */
async function written(from: readonly string[]): Promise<string[]> {
  const [result]: readonly Extracted[] = await extract({
    locales: ['en'],
    extract: {
      input: [...from],
      // Nothing is read from it, so that English always is what the code says.
      output: '.cache/no-texts/{{language}}.json',
      keySeparator: false,
      nsSeparator: false,
      mergeNamespaces: true,
      transComponents: ['Trans'],
    },
    plugins: [shorthandCount, forgotten],
  });
  const keys = Object.keys(result?.newTranslations.translation ?? {});
  const plurals = new Set(keys.flatMap((key) => (key.endsWith('_other') ? [key.slice(0, -'_other'.length)] : [])));
  return keys.filter((key) => !plurals.has(key));
}

/** The catalogue of a language: every text of the code once, or once for each plural form of the language. */
function catalogue(english: Iterable<string>, language: Language, before: Catalogue, everyForm: boolean): Catalogue {
  const keys = keysOf(english, language).filter((key) => everyForm || !isAsOther(key, before));
  return { translation: Object.fromEntries(keys.map((key) => [key, before.translation[key] ?? ''])) };
}

/** Whether it is a form for millions that says what the one for other counts does. A new text is asked for in both. */
function isAsOther(key: string, { translation }: Catalogue): boolean {
  const other = key.endsWith('_many') ? translation[key.replace(/many$/, 'other')] : undefined;
  return other !== undefined && other !== '' && (translation[key] ?? other) === other;
}

function keysOf(keys: Iterable<string>, language: Language): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
  return [...keys]
    .flatMap((key) => {
      if (key.endsWith('_one')) return [];
      const [, base] = /^(.*)_other$/s.exec(key) ?? [];
      return base === undefined ? [key] : forms.map((form) => `${base}_${form}`);
    })
    .toSorted();
}

const check = process.argv.includes('--check');
const stale: string[] = [];
for (const { from, to, besides, everyForm } of rooms) {
  const english = new Set([...(await written(from)), ...besides]);
  for (const language of languages) {
    const path = join(to, `${language}.json`);
    const before = readFileSync(join(root, path), 'utf8');
    const made = catalogue(english, language, JSON.parse(before), everyForm);
    const text = `${JSON.stringify(made, null, 2)}\n`;
    if (text !== before) stale.push(path);
    if (!check) writeFileSync(join(root, path), text);
    const missing = Object.keys(made.translation).filter((key) => made.translation[key] === '');
    if (missing.length === 0) continue;
    say(`${path}: ${missing.length} of ${Object.keys(made.translation).length} texts have no translation`);
    if (process.argv.includes('--missing')) for (const key of missing) say(`  ${JSON.stringify(key)}`);
  }
}
if (check && stale.length > 0) {
  say(`Not as the code is; run npm run texts:\n${stale.join('\n')}`);
  process.exitCode = 1;
}
if (unwrapped.length > 0) {
  say(
    `Shown in every language as it stands; say it with t (or list it in scripts/unwrapped.ts when it is a name):\n${unwrapped.join('\n')}`,
  );
  process.exitCode = 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
