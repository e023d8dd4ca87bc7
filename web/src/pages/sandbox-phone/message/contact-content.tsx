import { Avatar, Text } from '@mantine/core';
import { t } from '../../../language/language.ts';
import classes from './cards.module.css';
import { type Fields, partsIn, textIn } from './content-fields.ts';
import { WebLink } from './web-link.tsx';

/** The contact cards that a recipient can save. */
export function ContactContent({ content }: { readonly content: Fields }) {
  return (
    <ul className={classes.plainList} aria-label={t('Contact cards')}>
      {partsIn(content, 'contacts').map((card, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the cards of a message never change places.
        <Card key={index} card={card} />
      ))}
    </ul>
  );
}

function Card({ card }: { readonly card: Fields }) {
  const name = textIn(card, 'full_name') ?? t('Contact');
  const number = textIn(card, 'phone_number');
  const organization = textIn(card, 'organization');
  const email = textIn(card, 'email');
  const url = textIn(card, 'url');
  return (
    <li className={classes.contact}>
      <Avatar radius="xl" size={40} color="teal" alt="" name={name} />
      <div className={classes.words}>
        <Text size="sm" fw={600} dir="auto">
          {name}
        </Text>
        {organization !== null && (
          <Text size="xs" dir="auto">
            {organization}
          </Text>
        )}
        {number !== null && <Text size="xs">+{number}</Text>}
        {email !== null && <Text size="xs">{email}</Text>}
        {url !== null && (
          <Text size="xs">
            <WebLink url={url}>{url}</WebLink>
          </Text>
        )}
      </div>
    </li>
  );
}
