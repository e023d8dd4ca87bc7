import type { LinkProps } from '@tanstack/react-router';

/** What is counted: a part of each bar, or a line of its own. */
export interface Series {
  readonly key: string;
  readonly name: string;
  /** A colour of the theme, or any of CSS. */
  readonly colour: string;
}

/** One place of the horizontal axis: an hour, a day. */
export interface Point {
  readonly name: string;
  /** Below the axis, where there is room for it. */
  readonly short: string;
  /** By the keys of the series. */
  readonly values: Readonly<Record<string, number>>;
  /** The page with what is counted here. */
  readonly link?: LinkProps;
}
