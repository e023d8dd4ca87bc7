import { Paper, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { type ColumnDef, rowSelectionFeature, rowSortingFeature, tableFeatures, useTable } from '@tanstack/react-table';
import { type ComponentProps, type ReactNode, useMemo } from 'react';
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
  /** The server's word for this order; without it the column cannot be sorted by. */
  readonly sort?: string;
}

interface RecordTableProps<Row> {
  /** What is listed, for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
  /** What can be done with a record. */
  readonly actions?: (row: Row) => ReactNode;
  /** The order, as the server is asked for it: `name`, or `-name` falling. */
  readonly order?: { readonly sort: string; onSort(sort: string): void };
  /** Records can be chosen. */
  readonly choice?: Choice & { nameOf(row: Row): string };
}

const features = tableFeatures({ rowSortingFeature, rowSelectionFeature });

/** A table where there is room for one, and otherwise a card for each record. The rows come from the server in their order, a page at a time. */
export function RecordTable<Row extends object>({ label, rows, keyOf, columns, actions, order, choice }: RecordTableProps<Row>) {
  const naming = columns.find(({ name }) => name === true) ?? columns[0];
  const definitions = useMemo(
    () =>
      columns.map(
        (column, place): ColumnDef<typeof features, Row> => ({
          id: column.sort ?? `column ${place}`,
          // The server sorts; without an accessor a column counts as one that cannot be sorted by.
          accessorFn: (row) => row,
          enableSorting: column.sort !== undefined,
          cell: ({ row }) => column.cell(row.original),
        }),
      ),
    [columns],
  );
  // The same as long as they say the same: the table takes another object for a change, and a change makes the page be drawn anew.
  const sort = order?.sort;
  const sorting = useMemo(() => (sort === undefined ? [] : [sortingOf(sort)]), [sort]);
  const chosen = choice?.chosen;
  const rowSelection = useMemo(() => selectionOf(chosen), [chosen]);
  const table = useTable({
    features,
    columns: definitions,
    data: rows as Row[],
    getRowId: keyOf,
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    state: { sorting, rowSelection },
    onSortingChange(updater) {
      if (order === undefined) return;
      const [next] = typeof updater === 'function' ? updater(sorting) : updater;
      if (next !== undefined) order.onSort(next.desc ? `-${next.id}` : next.id);
    },
  });
  const shown = table.getRowModel().rows;
  const ids = shown.map(({ id }) => id);
  const choosing = useRowChoice(ids, choice);
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
            {table.getHeaderGroups()[0]?.headers.map(({ column }, place) => {
              const shownColumn = columns[place];
              if (shownColumn === undefined) return null;
              const sorted = column.getIsSorted();
              return (
                <th
                  key={column.id}
                  scope="col"
                  className={classOf(shownColumn)}
                  {...(column.getCanSort() && order !== undefined
                    ? { 'aria-sort': sorted === false ? 'none' : sorted === 'asc' ? 'ascending' : 'descending' }
                    : {})}
                >
                  {column.getCanSort() && order !== undefined ? (
                    <>
                      <span className={classes.plain}>{shownColumn.label}</span>
                      <SortButton
                        label={shownColumn.label}
                        sorted={sorted}
                        onSort={() => column.toggleSorting(sorted === false ? shownColumn.end === true : sorted === 'asc')}
                      />
                    </>
                  ) : (
                    shownColumn.label
                  )}
                </th>
              );
            })}
            {actions !== undefined && (
              <th scope="col">
                <VisuallyHidden>{t('Actions')}</VisuallyHidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody onKeyDown={choosing.onKeyDown}>
          {shown.map((row) => (
            <tr key={row.id} className={classes.row} data-chosen={row.getIsSelected() || undefined}>
              {choice !== undefined && (
                <td className={classes.check}>
                  <RowBox
                    aria-label={t('Choose {{name}}', { name: choice.nameOf(row.original) })}
                    {...choosing.of(row.id, row.getIsSelected())}
                  />
                </td>
              )}
              {row.getAllCells().map((cell, place) => {
                const column = columns[place];
                if (column === undefined) return null;
                return column === naming ? (
                  <th key={cell.id} scope="row" className={classes.name}>
                    <Room>
                      <table.FlexRender cell={cell} />
                    </Room>
                  </th>
                ) : (
                  <td key={cell.id} data-label={column.label} className={classOf(column)}>
                    <Room>
                      <table.FlexRender cell={cell} />
                    </Room>
                  </td>
                );
              })}
              {actions !== undefined && <td className={classes.actions}>{actions(row.original)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Paper>
  );
}

/** What a cell shows, in what its column has of the width: the outer box asks for the width, the inner one cuts. */
function Room({ children }: { readonly children: ReactNode }) {
  return (
    <div>
      <div>{children}</div>
    </div>
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
  readonly sorted: false | 'asc' | 'desc';
  onSort(): void;
}

/** A head that sorts. The order itself is told by `aria-sort`. */
function SortButton({ label, sorted, onSort }: SortButtonProps) {
  const Icon = sorted === false ? IconArrowsSort : sorted === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <UnstyledButton className={classes.sort} onClick={onSort} data-sorted={sorted !== false || undefined}>
      {label}
      <Icon size={14} aria-hidden />
    </UnstyledButton>
  );
}

function sortingOf(sort: string): { id: string; desc: boolean } {
  return sort.startsWith('-') ? { id: sort.slice(1), desc: true } : { id: sort, desc: false };
}

function selectionOf(chosen: ReadonlySet<string> | undefined): Record<string, true> {
  return Object.fromEntries([...(chosen ?? [])].map((id) => [id, true as const]));
}

function classOf({ end = false, long = false }: Pick<Column<never>, 'end' | 'long'>): string | undefined {
  if (end) return classes.end;
  return long ? classes.long : undefined;
}
