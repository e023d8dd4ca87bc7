import { t } from '../../../language/language.ts';
import classes from './media.module.css';
import { shownDuration } from './words.ts';

const bars = 64;
const step = 3;
const height = 28;

interface WaveformProps {
  /** From 0 to 100; empty draws an even line. */
  readonly samples: readonly number[];
  /** Seconds. */
  readonly at: number;
  readonly length: number;
  /** Absent when nothing can be played. */
  onJump?(seconds: number): void;
}

/** The loudness of a recording over time, the part already played in another colour, with a slider on top. */
export function Waveform({ samples, at, length, onJump }: WaveformProps) {
  const played = length > 0 ? (at / length) * bars : 0;
  return (
    <div className={classes.waveform}>
      <svg viewBox={`0 0 ${bars * step} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {Array.from({ length: bars }, (_, index) => {
          const tall = Math.max(2, ((samples[index] ?? 0) / 100) * height);
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place.
              key={index}
              x={index * step}
              y={(height - tall) / 2}
              width={step - 1}
              height={tall}
              rx={1}
              className={index < played ? classes.played : undefined}
            />
          );
        })}
      </svg>
      {onJump !== undefined && length > 0 && (
        <input
          type="range"
          min={0}
          max={length}
          step="any"
          value={Math.min(at, length)}
          onChange={(event) => onJump(Number(event.currentTarget.value))}
          aria-label={t('Position')}
          aria-valuetext={t('{{time}} of {{length}}', { time: shownDuration(at), length: shownDuration(length) })}
        />
      )}
    </div>
  );
}
