import { Paper, Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface FiguresTableProps {
  readonly label: string;
  readonly heads: readonly string[];
  /** With many figures, so that they fit on a phone. */
  readonly dense?: boolean;
  readonly rows: readonly { readonly key: string; readonly name: ReactNode; readonly figures: readonly string[] }[];
}

/** A narrow table: a name and a few figures, which fit on a phone too. */
export function FiguresTable({ label, heads, dense = false, rows }: FiguresTableProps) {
  return (
    <Paper withBorder radius="lg" py={4}>
      <Table aria-label={label} horizontalSpacing={dense ? 'xs' : 'md'} verticalSpacing="xs" style={{ fontVariantNumeric: 'tabular-nums' }}>
        <Table.Thead>
          <Table.Tr>
            {heads.map((head, place) => (
              <Table.Th key={head} scope="col" ta={place === 0 ? 'left' : 'right'} c="dimmed" fw={500}>
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, name, figures }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row" fw={400}>
                {name}
              </Table.Th>
              {figures.map((figure, place) => (
                <Table.Td key={heads[place + 1]} ta="right" valign="top">
                  {figure}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
