import type { LinkProps } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Few } from '../../../../src/portal/wire/home.ts';

/** One thing to know, which leads to what it tells of. */
export interface Line {
  readonly id: string;
  readonly tone: 'bad' | 'doubtful' | 'neutral';
  readonly icon: ComponentType<{ size: number }>;
  readonly title: string;
  /** More about it, in a sentence or two. */
  readonly text: string | null;
  /** Since when, or when it comes. */
  readonly at: string | null;
  readonly link: LinkProps;
}

/** The way to all of which some are told. */
export interface More {
  readonly text: string;
  readonly link: LinkProps;
}

/** Lines of one kind. */
export interface Lines {
  readonly lines: readonly Line[];
  /** null: all of them are told. */
  readonly more: More | null;
}

/** The way to all of them, where only some are told. */
export function moreOf({ items, total }: Few<unknown>, more: More): More | null {
  return total > items.length ? more : null;
}
