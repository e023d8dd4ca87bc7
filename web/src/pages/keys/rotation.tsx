import { List, Paper, Text, Title } from '@mantine/core';

/** How one key replaces another while programs keep sending. */
export function Rotation() {
  return (
    <Paper component="section" aria-labelledby="key-rotation" withBorder radius="lg" p="lg">
      <Title order={2} size="h4" id="key-rotation" mb={4}>
        Change a key without a break
      </Title>
      <Text c="dimmed" size="sm" mb="sm">
        Several keys work side by side, so your programs never have to stop.
      </Text>
      <List type="ordered" spacing={6}>
        <List.Item>
          <b>Create</b> a new key.
        </List.Item>
        <List.Item>
          <b>Put it</b> into your programs in place of the old one.
        </List.Item>
        <List.Item>
          <b>Watch</b> “Last used” in the list: the new key must show a time, and the old one's must stand still.
        </List.Item>
        <List.Item>
          <b>Revoke</b> the old key.
        </List.Item>
      </List>
    </Paper>
  );
}
