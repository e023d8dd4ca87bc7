import { createElement, Fragment, type ReactNode } from 'react';
import { filled } from '../language/filled.ts';

interface FilledProps {
  readonly text: string;
  readonly parts: Readonly<Record<string, ReactNode>>;
}

/** Shows a text with parts in the places of its tags. It is for texts out of tables, whose keys `Trans` cannot be told in writing. */
export function Filled({ text, parts }: FilledProps) {
  return createElement(Fragment, null, ...filled(text, parts));
}
