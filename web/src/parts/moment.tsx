import { Text, type TextProps } from '@mantine/core';
import { exactMoment, shownMoment } from './shown-moment.ts';

interface MomentProps extends TextProps {
  /** ISO 8601; null shows `none`. */
  readonly at: string | null;
  readonly none?: string;
  /** Date without the time of day. */
  readonly day?: boolean;
  /** To the second and with its zone, where that matters. */
  readonly exact?: boolean;
}

/** A moment in the reader's own time zone; to the second by `ExactTip`. Where its age matters there is `Ago`. */
export function Moment({ at, none = '–', day = false, exact = false, ...text }: MomentProps) {
  if (at === null) return <Text {...text}>{none}</Text>;
  return (
    <Text {...(exact ? {} : { 'data-exact': at })} {...text}>
      <time dateTime={at}>{exact ? exactMoment(at) : shownMoment(at, day)}</time>
    </Text>
  );
}
