import { Badge } from '@mantine/core';
import type { AlertDeliveryView } from '../../../../src/portal/wire/alerts.ts';
import { deliveryStates } from './words.ts';

/** What became of a delivery, told by word and colour. */
export function DeliveryState({ state }: Pick<AlertDeliveryView, 'state'>) {
  const { color, text } = deliveryStates[state];
  return (
    <Badge color={color} variant="light" autoContrast>
      {text}
    </Badge>
  );
}
