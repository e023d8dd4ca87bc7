import { Text, type TextProps, Tooltip } from '@mantine/core';
import { shownMoment } from './shown-moment.ts';

interface MomentProps extends TextProps {
  /** ISO 8601; null shows `none`. */
  readonly at: string | null;
  readonly none?: string;
  /** Date without the time of day. */
  readonly day?: boolean;
}

/** A moment in the reader's own time zone, exact in its tooltip. */
export function Moment({ at, none = '–', day = false, ...text }: MomentProps) {
  if (at === null) return <Text {...text}>{none}</Text>;
  return (
    <Tooltip label={new Date(at).toISOString()} portalProps={{ target: '#page' }}>
      <Text {...text}>
        <time dateTime={at}>{shownMoment(at, day)}</time>
      </Text>
    </Tooltip>
  );
}
