import { IconArrowBackUp, IconExternalLink, IconPhone } from '@tabler/icons-react';
import { t } from '../../../language/language.ts';
import classes from './cards.module.css';
import { type Fields, partsIn, textIn } from './content-fields.ts';
import { Titled } from './titled.tsx';
import { WebLink } from './web-link.tsx';

/** A text with buttons under it. Only links work: the sandbox delivers no answers. */
export function ButtonsContent({ content }: { readonly content: Fields }) {
  return (
    <>
      <Titled content={content} footer="footer" />
      <ul className={classes.buttons} aria-label={t('Buttons')}>
        {partsIn(content, 'buttons').map((button, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the buttons of a message never change places.
          <li key={index}>
            <Button button={button} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Button({ button }: { readonly button: Fields }) {
  const words = <bdi>{textIn(button, 'text')}</bdi>;
  switch (button.type) {
    case 'url': {
      const url = textIn(button, 'url') ?? '';
      return (
        <WebLink url={url} className={classes.button}>
          <IconExternalLink size={16} role="img" aria-label={t('Link:')} />
          {words}
        </WebLink>
      );
    }
    case 'call':
      return (
        <span className={classes.button} title={t('Calls +{{number}}', { number: textIn(button, 'phone_number') ?? '' })}>
          <IconPhone size={16} role="img" aria-label={t('Call:')} />
          {words}
        </span>
      );
    default:
      return (
        <span className={classes.button} title={t('Replies with this text')}>
          <IconArrowBackUp size={16} role="img" aria-label={t('Reply:')} />
          {words}
        </span>
      );
  }
}
