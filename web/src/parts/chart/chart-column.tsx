import { Link } from '@tanstack/react-router';
import classes from './chart.module.css';
import type { Point, Series } from './series.ts';

interface ChartColumnProps {
  readonly point: Point;
  readonly place: number;
  /** The parts of its bar; none where lines are drawn. */
  readonly series: readonly Series[];
  readonly words: string;
  /** Of the bar, in percent of the plot. */
  readonly height: number;
  /** Of what its bar is compared with; 0: nothing. */
  readonly mark: number;
  /** Whether the Tab key leads here. */
  readonly stop: boolean;
  readonly shown: boolean;
  onShow(place: number): void;
  onStop(place: number): void;
}

/** A point with its bar: as wide as there is room, so that it is easily met. */
export function ChartColumn({ point, place, series, words, height, mark, stop, shown, onShow, onStop }: ChartColumnProps) {
  const own = {
    className: classes.column,
    'aria-label': words,
    'data-place': place,
    'data-shown': shown || undefined,
    tabIndex: stop ? 0 : -1,
    onPointerEnter: () => onShow(place),
    onFocus: () => {
      onStop(place);
      onShow(place);
    },
  };
  const bar = (
    <>
      {height > 0 && series.length > 0 && (
        <span className={classes.bar} style={{ height: `${height}%` }}>
          {series.map(({ key, colour }) => {
            const value = point.values[key] ?? 0;
            return value > 0 && <span key={key} style={{ flexGrow: value, background: colour }} />;
          })}
        </span>
      )}
      {mark > 0 && <span className={classes.mark} style={{ insetBlockEnd: `${mark}%` }} />}
    </>
  );
  return (
    <li>
      {point.link === undefined ? (
        <div role="img" {...own}>
          {bar}
        </div>
      ) : (
        <Link {...point.link} {...own}>
          {bar}
        </Link>
      )}
    </li>
  );
}
