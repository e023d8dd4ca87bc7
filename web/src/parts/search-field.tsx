import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

/** The search starts after a pause of this length in typing. */
const pauseMs = 250;

interface SearchFieldProps {
  readonly value: string;
  /** What is found: "Find an account". */
  readonly label: string;
  /** Whether that is in sight, as it is above the fields beside it. */
  readonly labelled?: boolean;
  readonly placeholder: string;
  onChange(text: string): void;
}

/** A search field that searches as soon as the typing pauses. */
export function SearchField({ value, label, labelled = false, placeholder, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const told = useRef(value);
  // The value also changes from outside, such as by the browser's back button.
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setText(value);
  }, [value]);
  const tell = useDebouncedCallback((typed: string) => {
    told.current = typed;
    onChange(typed);
  }, pauseMs);
  return (
    <TextInput
      type="search"
      {...(labelled ? { label } : { 'aria-label': label })}
      placeholder={placeholder}
      leftSection={<IconSearch size={18} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        tell(currentTarget.value.trim());
      }}
      maxLength={100}
      w="100%"
      maw={360}
    />
  );
}
