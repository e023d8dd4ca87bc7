import { Drawer, Text, Title, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCircle, IconList } from '@tabler/icons-react';
import { t } from '../../../language/language.ts';
import { usePhoneScreen } from '../phone-screen.ts';
import classes from './cards.module.css';
import { type Fields, partsIn, textIn } from './content-fields.ts';
import { Titled } from './titled.tsx';

/** A text with a button that opens a menu, as a sheet that comes up in the phone. */
export function ListContent({ content }: { readonly content: Fields }) {
  const [opened, { open, close }] = useDisclosure(false);
  const screen = usePhoneScreen();
  const words = textIn(content, 'button_text') ?? t('Menu');
  return (
    <>
      <Titled content={content} footer="footer_text" />
      <div className={classes.buttons}>
        <UnstyledButton className={classes.button} onClick={open} aria-haspopup="dialog">
          <IconList size={16} aria-hidden />
          <bdi>{words}</bdi>
        </UnstyledButton>
      </div>
      <Drawer
        opened={opened}
        onClose={close}
        position="bottom"
        size="75%"
        title={<bdi>{words}</bdi>}
        lockScroll={false}
        closeButtonProps={{ 'aria-label': t('Close the menu') }}
        classNames={{ content: classes.sheet }}
        {...(screen === null ? {} : { portalProps: { target: screen } })}
      >
        {partsIn(content, 'sections').map((section, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the sections of a message never change places.
          <Section key={index} section={section} />
        ))}
      </Drawer>
    </>
  );
}

function Section({ section }: { readonly section: Fields }) {
  return (
    <section className={classes.section}>
      <Title order={3} size="sm" className={classes.sectionTitle} dir="auto">
        {textIn(section, 'title')}
      </Title>
      <ul className={classes.plainList}>
        {partsIn(section, 'rows').map((row) => (
          <li key={textIn(row, 'row_id')} className={classes.row}>
            <div className={classes.words}>
              <Text size="sm" dir="auto">
                {textIn(row, 'title')}
              </Text>
              <Text size="xs" c="dimmed" dir="auto">
                {textIn(row, 'description')}
              </Text>
            </div>
            <IconCircle size={20} aria-hidden />
          </li>
        ))}
      </ul>
    </section>
  );
}
