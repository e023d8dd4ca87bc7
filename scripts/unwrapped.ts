/** A node of the extractor's syntax tree, as far as it is read here. */
export interface Syntax {
  readonly type: string;
  readonly value?: unknown;
  readonly callee?: Syntax;
  readonly name?: Syntax;
  readonly key?: Syntax;
  readonly operator?: string;
  readonly quasis?: readonly { readonly cooked?: string }[];
}

/** Attributes and properties whose texts nobody reads; the extractor itself reads those of `Trans`. */
const unread = new Set([
  'aria-keyshortcuts',
  'className',
  'fontFamily',
  'fontFamilyMonospace',
  'i18nKey',
  'id',
  'key',
  'preserveAspectRatio',
  'rel',
]);

/** Names, which are the same in every language, and what a program reads. */
const names = new Set([
  ...['Android', 'Chrome', 'ChromeOS', 'Edge', 'Firefox', 'Linux', 'Mac', 'Opera', 'Safari', 'Samsung Internet', 'Windows'],
  ...['Messaging Gateway', 'Ctrl K', 'English', 'Español'],
]);

/** Code that people copy, endpoints, and selectors. */
const ofCode = [/^curl /, /^(GET|POST|PATCH|DELETE) /, /^:scope /, /^Hello from my gateway$/];

/** The texts in the code of a page that a person would read and that no catalogue has: all that reads like words and is not said by `t`. */
export function unwrappedTexts(code: unknown): string[] {
  const found: string[] = [];
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const syntax = isSyntax(node) ? node : null;
    if (syntax !== null) {
      if (isSkipped(syntax)) return;
      const text = textIn(syntax);
      if (text !== null && readsLikeWords(syntax.type, text)) found.push(text.trim().replaceAll(/\s+/g, ' '));
    }
    // Parts without a type of their own, like arguments, hold others.
    for (const [name, child] of Object.entries(node))
      if (name !== 'span' && !(name === 'key' && syntax?.type === 'KeyValueProperty')) look(child);
  };
  look(code);
  return found;
}

function isSyntax(node: object): node is Syntax {
  return 'type' in node && typeof node.type === 'string';
}

/** Types, imports, comparisons, errors that only a programmer sees, and what `t` says. */
function isSkipped({ type, callee, name, key, operator }: Syntax): boolean {
  if (type.startsWith('Ts') && !['TsAsExpression', 'TsConstAssertion', 'TsSatisfiesExpression', 'TsNonNullExpression'].includes(type))
    return true;
  if (type === 'ImportDeclaration' || (type === 'BinaryExpression' && /^[!=]==?$/.test(operator ?? ''))) return true;
  if (type === 'CallExpression') return callee?.value === 't';
  if (type === 'NewExpression') return callee?.value === 'Error';
  return typeof (name ?? key)?.value === 'string' && unread.has(String((name ?? key)?.value));
}

function textIn({ type, value, quasis }: Syntax): string | null {
  if (type === 'JSXText' || type === 'StringLiteral') return String(value);
  return type === 'TemplateLiteral' && quasis !== undefined ? quasis.map(({ cooked }) => cooked ?? '').join('{}') : null;
}

function readsLikeWords(type: string, text: string): boolean {
  if (names.has(text.trim()) || ofCode.some((pattern) => pattern.test(text))) return false;
  if (type === 'JSXText') return /\p{L}/u.test(text);
  // Two words, or one that begins as a sentence does.
  return /\p{L}{2,}[,:]? \p{L}/u.test(text) || /^\p{Lu}\p{Ll}+[.!?:]?$/u.test(text) || /\{\} \p{Ll}{3,}|\p{L}{3,} \{\}/u.test(text);
}
