import { Text } from '@mantine/core';
import { IconCircle, IconSquareRounded } from '@tabler/icons-react';
import { t } from '../../../language/language.ts';
import classes from './cards.module.css';
import { type Fields, numberIn, textIn, textsIn } from './content-fields.ts';

/** A question with its options. Voting is left out, because a vote would not reach the sender. */
export function PollContent({ content }: { readonly content: Fields }) {
  const most = numberIn(content, 'selectable_count') ?? 1;
  const Mark = most === 1 ? IconCircle : IconSquareRounded;
  return (
    <div className={classes.poll}>
      <Text size="sm" fw={600} dir="auto">
        {textIn(content, 'question')}
      </Text>
      <Text size="xs" className={classes.dim}>
        {most === 1 ? t('Select one') : t('Select up to {{most}}', { most })}
      </Text>
      <ul className={classes.plainList} aria-label={t('Options')}>
        {textsIn(content, 'options').map((option) => (
          <li key={option} className={classes.option}>
            <Mark size={20} aria-hidden />
            <Text size="sm" dir="auto">
              {option}
            </Text>
            <span className={classes.votes} />
          </li>
        ))}
      </ul>
    </div>
  );
}
