import { Paper, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './record-table.module.css';

/** What a table shows of each record. */
export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** For figures: aligned to the right. */
  readonly end?: boolean;
  /** For texts of any length, such as names, which may wrap. */
  readonly long?: boolean;
}

interface RecordTableProps<Row> {
  /** What is listed, for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The first one names the record. */
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
  /** What can be done with a record. */
  readonly actions?: (row: Row) => ReactNode;
}

/** A table where there is room for one, and otherwise a card for each record. */
export function RecordTable<Row>({ label, rows, keyOf, columns: [first, ...others], actions }: RecordTableProps<Row>) {
  return (
    <Paper withBorder radius="lg" className={classes.room}>
      <table className={classes.table} aria-label={label}>
        <thead className={classes.head}>
          <tr>
            {[first, ...others].map((column) => (
              <th key={column.label} scope="col" className={classOf(column)}>
                {column.label}
              </th>
            ))}
            {actions !== undefined && (
              <th scope="col">
                <VisuallyHidden>Actions</VisuallyHidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className={classes.row}>
              <th scope="row" className={classes.name}>
                {first.cell(row)}
              </th>
              {others.map((column) => (
                <td key={column.label} data-label={column.label} className={classOf(column)}>
                  <div>{column.cell(row)}</div>
                </td>
              ))}
              {actions !== undefined && <td className={classes.actions}>{actions(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Paper>
  );
}

function classOf({ end = false, long = false }: Pick<Column<never>, 'end' | 'long'>): string | undefined {
  if (end) return classes.end;
  return long ? classes.long : undefined;
}
