import { Select } from '@mantine/core';
import { t } from '../../language/language.ts';

export interface OrderSelectProps {
  readonly value: string;
  readonly sorts: readonly { readonly value: string; readonly label: string }[];
  onSort(sort: string): void;
}

/** The order of a list on phones, where there are no heads to press. */
export function OrderSelect({ value, sorts, onSort }: OrderSelectProps) {
  return (
    <Select
      hiddenFrom="md"
      size="xs"
      aria-label={t('Order')}
      data={sorts as { value: string; label: string }[]}
      value={value}
      onChange={(sort) => sort !== null && onSort(sort)}
      allowDeselect={false}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
