import { Text } from '@mantine/core';

/** Somebody's name with the address they sign in with. */
export function PersonName({ person: { name, email } }: { readonly person: { readonly name: string; readonly email: string } }) {
  return (
    <>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Text size="xs" c="dimmed">
        {email}
      </Text>
    </>
  );
}
