import { Code } from '@mantine/core';

/** A text in which backticks mark code, as in the API reference. */
export function CodeText({ text }: { readonly text: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change places.
  return text.split('`').map((piece, index) => (index % 2 === 1 ? <Code key={index}>{piece}</Code> : piece));
}
