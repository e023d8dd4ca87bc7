import { Select } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { t } from '../../language/language.ts';

export interface OrderSelectProps {
  readonly value: string;
  readonly sorts: readonly { readonly value: string; readonly label: string }[];
  onSort(sort: string): void;
}

/** The order of a list on phones, where there are no heads to press. */
export function OrderSelect({ value, sorts, onSort }: OrderSelectProps) {
  const wide = useMediaQuery('(min-width: 62em)', false, { getInitialValueInEffect: false });
  if (wide) return null;
  return (
    <Select
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
