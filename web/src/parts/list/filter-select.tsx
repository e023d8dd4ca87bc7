import { Select } from '@mantine/core';
import classes from './list.module.css';

interface FilterSelectProps {
  /** What is narrowed: "State". */
  readonly label: string;
  /** Without a choice: "All states". */
  readonly all: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  readonly searchable?: boolean;
  /** Told what is typed into a searchable one, where the options come from the server. */
  onSearchChange?(text: string): void;
  onChange(value: string | undefined): void;
}

/** Narrows a list to one of a few words. */
export function FilterSelect({ label, all, options, value, searchable = false, onSearchChange, onChange }: FilterSelectProps) {
  return (
    <Select
      aria-label={label}
      placeholder={all}
      data={options as { value: string; label: string }[]}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      clearable
      searchable={searchable}
      {...(onSearchChange === undefined ? {} : { onSearchChange })}
      comboboxProps={{ withinPortal: false }}
      clearButtonProps={{ 'aria-label': all }}
      className={classes.filter}
    />
  );
}
