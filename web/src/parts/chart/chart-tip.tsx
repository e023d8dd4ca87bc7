import { ColorSwatch } from '@mantine/core';
import { shownCount } from '../../language/language.ts';
import classes from './chart.module.css';
import type { Point, Series } from './series.ts';

interface ChartTipProps {
  readonly point: Point;
  readonly series: readonly Series[];
  readonly words: string;
  /** Of its column, in percent of the plot. */
  readonly middle: number;
}

/** The figures of the point under the pointer or with the focus, beside it. */
export function ChartTip({ point: { name, values }, series, words, middle }: ChartTipProps) {
  return (
    <div
      className={classes.tip}
      aria-hidden
      style={middle < 50 ? { insetInlineStart: `calc(${middle}% + 16px)` } : { insetInlineEnd: `calc(${100 - middle}% + 16px)` }}
    >
      <strong>{name}</strong>
      <p>{words}</p>
      {series
        .filter(({ key }) => (values[key] ?? 0) > 0)
        .toReversed()
        .map((one) => (
          <div key={one.key}>
            <ColorSwatch size={10} color={one.colour} withShadow={false} />
            <span>{one.name}</span>
            <span>{shownCount(values[one.key] ?? 0)}</span>
          </div>
        ))}
    </div>
  );
}
