import { SimpleGrid, Stack } from '@mantine/core';
import { Browsers } from './browsers.tsx';
import { NameForm } from './name-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { TwoFactor } from './two-factor.tsx';

/** The person's own sign-in, the same in every account. */
export function SignInPart() {
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Stack>
          <NameForm />
          <TwoFactor />
        </Stack>
        <PasswordForm />
      </SimpleGrid>
      <Browsers />
    </Stack>
  );
}
