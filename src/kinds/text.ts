import { defineKind } from './define-kind.ts';
import { text as characters } from './fields.ts';

/** A plain text. */
export const text = defineKind({
  type: 'text',
  summary: 'Send a text message',
  description:
    'Trailing spaces and newlines are removed; leading ones are kept. Formatting markers work: `*bold*`, `_italic_`, `~strikethrough~`, and three backticks before and after for monospace.',
  fields: {
    text: characters(1, 4096)
      .refine((value) => value.trim() !== '', { error: 'must not be blank' })
      .meta({ description: 'The message, not blank. Longer text is refused, never cut.' })
      .transform((value) => value.trimEnd()),
  },
  examples: {
    plain: { text: 'Hello from the gateway' },
    formatted: { text: '*Order 1042* is _on its way_.\nThank you!' },
  },
});
