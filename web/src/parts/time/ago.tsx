import { Text, type TextProps } from '@mantine/core';
import { useCallback } from 'react';
import { ageText } from './age.ts';
import classes from './ago.module.css';
import { useTold } from './told.ts';

interface AgoProps extends TextProps {
  /** ISO 8601; null shows `none`. */
  readonly at: string | null;
  readonly none?: string;
  /** Inside a link, which leads to where the exact time stands. */
  readonly inLink?: boolean;
}

/** How long ago a moment was, or when it comes, kept up to date; the exact one is shown by `ExactTip`. */
export function Ago({ at, none = '–', ...rest }: AgoProps) {
  const { inLink: _, ...text } = rest;
  return at === null ? <Text {...text}>{none}</Text> : <Known at={at} {...rest} />;
}

function Known({ at, inLink = false, ...text }: Omit<AgoProps, 'none'> & { readonly at: string }) {
  const told = useTold(useCallback((now) => ageText(at, now), [at]));
  const time = <time dateTime={at}>{told}</time>;
  if (inLink) {
    return (
      <Text data-exact={at} {...text}>
        {time}
      </Text>
    );
  }
  return (
    <Text component="button" type="button" className={classes.ago} data-exact={at} {...text}>
      {time}
    </Text>
  );
}
