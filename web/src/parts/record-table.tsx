import { Paper, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { t } from '../language/language.ts';
import classes from './record-table.module.css';
import { type Choice, useRowChoice } from './use-row-choice.ts';

export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** It names the record; otherwise the first one does. */
  readonly name?: true;
  /** For figures: aligned to the right, and sorted with the largest first. */
  readonly end?: boolean;
  /** For texts of any length, such as names, which may wrap. */
  readonly long?: boolean;
  /** Sentences, which wrap where there is no room and are never cut. */
  readonly whole?: true;
  /** The server's word for this order; without it the column cannot be sorted by. */
  readonly sort?: string;
}

interface Order {
  /** As the server is asked for it: `name`, or `-name` falling. */
  readonly sort: string;
  onSort(sort: string): void;
}

interface RecordTableProps<Row> {
  /** What is listed, for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
  /** What can be done with a record. */
  readonly actions?: (row: Row) => ReactNode;
  readonly order?: Order;
  /** Records can be chosen. */
  readonly choice?: Choice & { nameOf(row: Row): string };
}

/** A table where there is room for one, and otherwise a card for each record. The rows come from the server in their order, a page at a time. */
export function RecordTable<Row>({ label, rows, keyOf, columns, actions, order, choice }: RecordTableProps<Row>) {
  const naming = columns.find(({ name }) => name === true) ?? columns[0];
  const choosing = useRowChoice(rows.map(keyOf), choice);
  return (
    <Paper withBorder radius="lg" className={classes.room}>
      <table className={classes.table} aria-label={label} data-choosable={choice !== undefined || undefined}>
        <thead className={classes.head}>
          <tr>
            {choice !== undefined && (
              <th scope="col" className={classes.check}>
                <RowBox aria-label={t('Choose all on this page')} {...choosing.ofAll} />
              </th>
            )}
            {columns.map((column) => (
              <Head key={column.label} column={column} order={order} />
            ))}
            {actions !== undefined && (
              <th scope="col">
                <VisuallyHidden>{t('Actions')}</VisuallyHidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody onKeyDown={choosing.onKeyDown}>
          {rows.map((row) => {
            const key = keyOf(row);
            const chosen = choice?.chosen.has(key) === true;
            return (
              <tr key={key} className={classes.row} data-chosen={chosen || undefined}>
                {choice !== undefined && (
                  <td className={classes.check}>
                    <RowBox aria-label={t('Choose {{name}}', { name: choice.nameOf(row) })} {...choosing.of(key, chosen)} />
                  </td>
                )}
                {columns.map((column) => {
                  const { label, cell, whole } = column;
                  const content = inRoom(cell(row));
                  return column === naming ? (
                    <th key={label} scope="row" className={classes.name} data-whole={whole}>
                      {content}
                    </th>
                  ) : (
                    <td key={label} data-label={label} className={classOf(column)} data-whole={whole}>
                      {content}
                    </td>
                  );
                })}
                {actions !== undefined && <td className={classes.actions}>{actions(row)}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </Paper>
  );
}

/** What a cell shows, in what its column has of the width: the outer box asks for the width, the inner one cuts. Not a component: a list has hundreds. */
function inRoom(content: ReactNode): ReactNode {
  return (
    <div>
      <div>{content}</div>
    </div>
  );
}

interface HeadProps {
  readonly column: Omit<Column<never>, 'cell'>;
  readonly order: Order | undefined;
}

/** The head of a column, which sorts by it where that is possible. */
function Head({ column, order }: HeadProps) {
  const { label, sort, end = false } = column;
  if (sort === undefined || order === undefined) {
    return (
      <th scope="col" className={classOf(column)}>
        {label}
      </th>
    );
  }
  const sorted = order.sort === sort ? 'ascending' : order.sort === `-${sort}` ? 'descending' : 'none';
  const falls = sorted === 'none' ? end : sorted === 'ascending';
  return (
    <th scope="col" className={classOf(column)} aria-sort={sorted}>
      <span className={classes.plain}>{label}</span>
      <SortButton label={label} sorted={sorted} onSort={() => order.onSort(falls ? `-${sort}` : sort)} />
    </th>
  );
}

/** The browser's own box: the library's is ten elements and drawn twice, for each row. */
function RowBox({ indeterminate = false, ...box }: ComponentProps<'input'> & { readonly indeterminate?: boolean }) {
  return (
    <input
      type="checkbox"
      className={`mantine-focus-auto ${classes.box}`}
      ref={(drawn) => {
        if (drawn !== null) drawn.indeterminate = indeterminate;
      }}
      {...box}
    />
  );
}

interface SortButtonProps {
  readonly label: string;
  readonly sorted: keyof typeof arrows;
  onSort(): void;
}

const arrows = { none: IconArrowsSort, ascending: IconArrowUp, descending: IconArrowDown };

/** A head that sorts. The order itself is told by `aria-sort`. */
function SortButton({ label, sorted, onSort }: SortButtonProps) {
  const Icon = arrows[sorted];
  return (
    <UnstyledButton className={classes.sort} onClick={onSort} data-sorted={sorted !== 'none' || undefined}>
      {label}
      <Icon size={14} aria-hidden />
    </UnstyledButton>
  );
}

function classOf({ end = false, long = false }: Pick<Column<never>, 'end' | 'long'>): string | undefined {
  if (end) return classes.end;
  return long ? classes.long : undefined;
}
