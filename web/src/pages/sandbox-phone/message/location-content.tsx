import { Text } from '@mantine/core';
import { IconMapPinFilled } from '@tabler/icons-react';
import { t } from '../../../language/language.ts';
import classes from './cards.module.css';
import { type Fields, numberIn, textIn } from './content-fields.ts';
import { NeutralMap } from './neutral-map.tsx';

/** A pin on a map. The map is a drawing: nothing is fetched from anywhere. */
export function LocationContent({ content }: { readonly content: Fields }) {
  const latitude = numberIn(content, 'latitude') ?? 0;
  const longitude = numberIn(content, 'longitude') ?? 0;
  const name = textIn(content, 'name');
  const address = textIn(content, 'address');
  return (
    <div className={classes.location}>
      <div className={classes.map}>
        <NeutralMap />
        <IconMapPinFilled size={36} className={classes.pin} role="img" aria-label={t('Location')} />
      </div>
      <div className={classes.place}>
        {name !== null && (
          <Text size="sm" fw={600} dir="auto">
            {name}
          </Text>
        )}
        {address !== null && (
          <Text size="xs" dir="auto">
            {address}
          </Text>
        )}
        <Text size="xs" className={classes.dim}>
          {degrees(latitude, 'N', 'S')}, {degrees(longitude, 'E', 'W')}
        </Text>
      </div>
    </div>
  );
}

function degrees(value: number, positive: string, negative: string): string {
  return `${Math.abs(value).toFixed(5)}° ${value < 0 ? negative : positive}`;
}
