import type { ReactNode } from 'react';
import classes from './small-line.module.css';

interface SmallLineProps {
  /** All of it, where it may be cut. */
  readonly title?: string;
  readonly children: ReactNode;
}

/** A second line in a cell of a list, cut where there is no room for it. */
export function SmallLine({ title, children }: SmallLineProps) {
  return (
    <div className={classes.line} title={title}>
      {children}
    </div>
  );
}
