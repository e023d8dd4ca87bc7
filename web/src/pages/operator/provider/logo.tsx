import { Button, FileButton, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPhotoUp, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ProviderBrand } from '../../../../../src/portal/wire/brand.ts';
import { call } from '../../../api/client.ts';
import { t } from '../../../language/language.ts';
import { chosenAnew } from '../../../parts/chosen-anew.ts';
import { FailureAlert } from '../../../parts/failure-alert.tsx';
import { useChange } from '../../../parts/use-change.ts';
import { sessionQuery } from '../../../session/session.ts';

const mostBytes = 512 * 1024;

/** Shows, sets and removes the logo. */
export function Logo({ brand }: { readonly brand: ProviderBrand }) {
  const params = { id: brand.provider_id };
  const [tooLarge, setTooLarge] = useState(false);
  const set = useChange(
    async (file: File) =>
      call('PUT /portal/api/operator/providers/:id/brand/logo', {
        params,
        body: { picture: base64Of(new Uint8Array(await file.arrayBuffer())) },
      }),
    { said: () => t('The logo is saved.'), also: [sessionQuery.queryKey] },
  );
  const remove = useChange(() => call('DELETE /portal/api/operator/providers/:id/brand/logo', { params }), {
    said: () => t('The logo is removed.'),
    also: [sessionQuery.queryKey],
  });
  const choose = (file: File | null) => {
    if (file === null) return;
    setTooLarge(file.size > mostBytes);
    if (file.size <= mostBytes) set.mutate(file);
  };
  return (
    <Stack gap="sm" align="flex-start">
      {brand.logo !== null && (
        <Paper withBorder radius="md" p="md">
          <img src={brand.logo} alt={t('The logo')} style={{ display: 'block', maxWidth: 200, maxHeight: 96 }} />
        </Paper>
      )}
      <Text size="sm" c="dimmed">
        {t("A PNG, JPEG or WebP picture of at most 512 KB. It is also the icon of the browser's tab, so a square one looks best.")}
      </Text>
      {tooLarge && (
        <Text size="sm" c="red" role="alert">
          {t('The picture must be at most 512 KB.')}
        </Text>
      )}
      <FailureAlert error={set.error ?? remove.error} />
      <Group gap="sm">
        <FileButton
          accept="image/png,image/jpeg,image/webp"
          onChange={choose}
          inputProps={{ 'aria-label': t('Picture for the logo'), ...chosenAnew }}
        >
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconPhotoUp size={18} aria-hidden />} loading={set.isPending}>
              {t('Choose a picture')}
            </Button>
          )}
        </FileButton>
        {brand.logo !== null && (
          <Button
            variant="default"
            leftSection={<IconTrash size={18} aria-hidden />}
            onClick={() => remove.mutate(undefined)}
            loading={remove.isPending}
          >
            {t('Remove the logo')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
