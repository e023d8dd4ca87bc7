import { Radio, Text } from '@mantine/core';
import type { KindView } from '../../../../src/portal/wire/sending.ts';
import { t } from '../../language/language.ts';
import { KindIcon, kindName } from '../../parts/kind.tsx';
import classes from './send.module.css';

interface KindChooserProps {
  readonly kinds: readonly KindView[];
  readonly chosen: string;
  onChoose(type: string): void;
}

export function KindChooser({ kinds, chosen, onChoose }: KindChooserProps) {
  return (
    <Radio.Group value={chosen} onChange={onChoose} aria-label={t('Kind of message')}>
      <div className={classes.kinds}>
        {kinds.map(({ type }) => (
          <Radio.Card key={type} value={type} className={classes.kind}>
            <KindIcon type={type} size={22} />
            <Text size="xs" ta="center" lh={1.2} span>
              {kindName(type)}
            </Text>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
