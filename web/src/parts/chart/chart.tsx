import { getThemeColor, useMantineTheme } from '@mantine/core';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { shownCount } from '../../language/language.ts';
import classes from './chart.module.css';
import { ChartColumn } from './chart-column.tsx';
import { ChartTip } from './chart-tip.tsx';
import type { Point, Series } from './series.ts';
import { ticksOf } from './ticks.ts';

interface ChartProps {
  readonly label: string;
  readonly points: readonly Point[];
  readonly series: readonly Series[];
  readonly shape?: 'bars' | 'lines';
  /** What each bar is compared with: a mark across it, no part of it. */
  readonly against?: Series;
  /** Of the plot, in pixels. */
  readonly height?: number;
  /** All of a point together, in words. */
  inWords(total: number): string;
}

/** Room for a name below the axis, in pixels. */
const nameWidth = 72;

/** Counts over time, as stacked bars or as lines. The arrows lead from point to point; what a screen reader says of each is also shown. */
export function Chart({ label, points, series, shape = 'bars', against, height = 260, inWords }: ChartProps) {
  const theme = useMantineTheme();
  const [shown, setShown] = useState<number | null>(null);
  const [stop, setStop] = useState(points.length - 1);
  const coloured = series.map((one) => ({ ...one, colour: getThemeColor(one.colour, theme) }));
  const countOf = ({ values }: Point, { key }: Series) => values[key] ?? 0;
  const totalOf = (point: Point) => series.reduce((total, one) => total + countOf(point, one), 0);
  const named = against === undefined ? coloured : [...coloured, { ...against, colour: getThemeColor(against.colour, theme) }];
  const marks = (point: Point) => (shape === 'bars' ? [totalOf(point)] : series.map((one) => countOf(point, one)));
  const ticks = ticksOf(Math.max(0, ...points.flatMap((point) => [...marks(point), against === undefined ? 0 : countOf(point, against)])));
  const top = ticks.at(-1) ?? 1;
  const last = points.length - 1;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') setShown(null);
    const to = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.currentTarget.querySelector<HTMLElement>(`[data-place="${Math.max(0, Math.min(last, to))}"]`)?.focus();
  };
  const tipped = shown === null ? undefined : points[shown];
  return (
    <figure className={classes.chart} aria-label={label} style={{ gridTemplateRows: `${height}px 26px` }}>
      <div className={classes.scale} aria-hidden>
        {ticks.map((tick) => (
          <span key={tick}>{shownCount(tick)}</span>
        ))}
      </div>
      <div className={classes.plot}>
        <div className={classes.lines} aria-hidden>
          {ticks.map((tick) => (
            <span key={tick} />
          ))}
        </div>
        {shape === 'lines' && (
          <svg className={classes.curves} viewBox={`0 0 ${points.length} ${top}`} preserveAspectRatio="none" aria-hidden>
            {coloured.map((one) => (
              <polyline
                key={one.key}
                stroke={one.colour}
                points={points.map((point, place) => `${place + 0.5},${top - countOf(point, one)}`).join(' ')}
              />
            ))}
          </svg>
        )}
        <ol className={classes.columns} onKeyDown={onKeyDown} onPointerLeave={() => setShown(null)} onBlur={() => setShown(null)}>
          {points.map((point, place) => (
            <ChartColumn
              key={point.name}
              point={point}
              place={place}
              series={shape === 'bars' ? coloured : []}
              words={wordsOf(point, named, inWords(totalOf(point)))}
              height={(totalOf(point) / top) * 100}
              mark={against === undefined ? 0 : (countOf(point, against) / top) * 100}
              stop={place === Math.min(stop, last)}
              shown={place === shown}
              onShow={setShown}
              onStop={setStop}
            />
          ))}
        </ol>
        {shown !== null && tipped !== undefined && (
          <ChartTip point={tipped} series={named} words={inWords(totalOf(tipped))} middle={middleOf(shown, points)} />
        )}
      </div>
      <Axis points={points} />
    </figure>
  );
}

/**
 * The names of as many points as there is room for. It measures itself: the bars need not be drawn twice for it; and before it is shown, because
 * without a width it has no names (Mantine's `useElementSize` knows one a frame later).
 */
function Axis({ points }: Pick<ChartProps, 'points'>) {
  const [width, setWidth] = useState(0);
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current: axis } = ref;
    if (axis === null) return;
    const measure = () => setWidth(axis.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(axis);
    return () => observer.disconnect();
  }, []);
  const every = Math.ceil(points.length / Math.max(1, Math.floor(width / nameWidth)));
  return (
    <div className={classes.names} ref={ref} aria-hidden>
      {points.map(({ name, short }, place) => {
        const middle = middleOf(place, points);
        if (place % every !== 0 || (middle / 100) * width >= width - nameWidth / 3) return null;
        return (
          <span key={name} style={{ insetInlineStart: `${middle}%` }}>
            {short}
          </span>
        );
      })}
    </div>
  );
}

/** In percent of the plot. */
const middleOf = (place: number, points: readonly Point[]) => ((place + 0.5) / points.length) * 100;

/** What a screen reader says of a point. */
function wordsOf({ name, values }: Point, series: readonly Series[], words: string): string {
  const parts = series.filter(({ key }) => (values[key] ?? 0) > 0).map((one) => `${one.name} ${shownCount(values[one.key] ?? 0)}`);
  return `${name}: ${words} ${parts.join(', ')}`;
}
