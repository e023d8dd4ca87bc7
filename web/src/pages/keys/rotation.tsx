import { List, Paper, Text, Title } from '@mantine/core';
import { Trans, t } from '../../language/language.ts';

/** How one key replaces another while programs keep sending. */
export function Rotation() {
  return (
    <Paper component="section" aria-labelledby="key-rotation" withBorder radius="lg" p="lg">
      <Title order={2} size="h4" id="key-rotation" mb={4}>
        {t('Replace a key without downtime')}
      </Title>
      <Text c="dimmed" size="sm" mb="sm">
        {t('Several keys work side by side, so your programs never have to stop.')}
      </Text>
      <List type="ordered" spacing={6}>
        <List.Item>
          <Trans i18nKey="<b>Create</b> a new key." components={{ b: <b /> }} />
        </List.Item>
        <List.Item>
          <Trans i18nKey="<b>Put it</b> into your programs in place of the old one." components={{ b: <b /> }} />
        </List.Item>
        <List.Item>
          <Trans
            i18nKey="<b>Watch</b> “Last used” in the list: the new key should show a time, and the old key's time should stop changing."
            components={{ b: <b /> }}
          />
        </List.Item>
        <List.Item>
          <Trans i18nKey="<b>Revoke</b> the old key." components={{ b: <b /> }} />
        </List.Item>
      </List>
    </Paper>
  );
}
