import { Text } from '@mantine/core';
import { FormattedText } from '../formatting/formatted-text.tsx';
import classes from './cards.module.css';
import { type Fields, textIn } from './content-fields.ts';

/** The texts of a message that has buttons or a menu: title, description, footer. */
export function Titled({ content, footer }: { readonly content: Fields; readonly footer: 'footer' | 'footer_text' }) {
  const description = textIn(content, 'description');
  const small = textIn(content, footer);
  return (
    <div className={classes.titled}>
      <Text component="div" size="sm" fw={600}>
        <FormattedText text={textIn(content, 'title') ?? ''} />
      </Text>
      {description !== null && <FormattedText text={description} />}
      {small !== null && (
        <Text size="xs" className={classes.dim} dir="auto">
          {small}
        </Text>
      )}
    </div>
  );
}
