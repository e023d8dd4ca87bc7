import { Code } from '@mantine/core';
import { CopyIcon } from './copy-field.tsx';
import classes from './shown-id.module.css';

interface ShownIdProps {
  readonly id: string;
  /** What is copied, for screen readers: "account ID". */
  readonly label: string;
  /** Shown in its place, where it is too long. */
  readonly short?: string;
}

/** An id with a small button that copies it. */
export function ShownId({ id, label, short = id }: ShownIdProps) {
  return (
    <span className={classes.id}>
      <Code className={classes.text}>{short}</Code>
      <CopyIcon value={id} label={label} small />
    </span>
  );
}
