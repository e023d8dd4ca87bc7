import { cloneElement, createElement, Fragment, type ReactElement, type ReactNode } from 'react';
import { inserted, translated, type Values } from './instance.ts';

interface TransProps {
  /** The English text, written out. */
  readonly i18nKey: string;
  readonly values?: Values;
  /** What its tags are: `<b>…</b>` goes around words, `<when/>` stands by itself. */
  readonly components: Readonly<Record<string, ReactElement>>;
}

/** A sentence with markup in it, in the page's language. */
export function Trans({ i18nKey, values = {}, components }: TransProps) {
  return createElement(Fragment, null, ...marked(translated(i18nKey, values), values, components));
}

/** The tags are those of the text alone: values are inserted after it is taken apart. */
function marked(text: string, values: Values, components: TransProps['components']): ReactNode[] {
  const nodes: ReactNode[] = [];
  let end = 0;
  for (const { 0: whole, 1: name = '', 2: words, index } of text.matchAll(/<(\w+)(?:\/>|>(.*?)<\/\1>)/gs)) {
    const component = components[name];
    if (component === undefined) continue;
    nodes.push(inserted(text.slice(end, index), values));
    nodes.push(words === undefined ? component : cloneElement(component, undefined, ...marked(words, values, components)));
    end = index + whole.length;
  }
  return [...nodes, inserted(text.slice(end), values)];
}
