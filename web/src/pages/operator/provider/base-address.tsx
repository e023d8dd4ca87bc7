import { Alert, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { ProviderBrand } from '../../../../../src/portal/wire/brand.ts';
import { call } from '../../../api/client.ts';
import { t } from '../../../language/language.ts';
import { FailureAlert } from '../../../parts/failure-alert.tsx';
import { takenOver } from '../../../parts/taken-over.ts';
import { useChange } from '../../../parts/use-change.ts';
import { useSentForm } from '../../../parts/use-sent-form.ts';
import { rolesOf, useSession } from '../../../session/session.ts';

type Sent = { readonly base_address: string | null };

/** Where the provider's customers reach the gateway. Operators set it, and say when it leads here. */
export function BaseAddress({ brand }: { readonly brand: ProviderBrand }) {
  const { operator } = rolesOf(useSession());
  if (!operator) return <Known brand={brand} />;
  return <AddressForm brand={brand} />;
}

function Known({ brand: { base_address, base_confirmed } }: { readonly brand: ProviderBrand }) {
  if (base_address === null || !base_confirmed) {
    return (
      <Text size="sm" c="dimmed">
        {t("Your customers use the gateway's own address. Ask the person who runs this gateway for one of yours.")}
      </Text>
    );
  }
  return <Text size="sm">{base_address}</Text>;
}

function AddressForm({ brand: { provider_id, base_address, base_confirmed } }: { readonly brand: ProviderBrand }) {
  const ask = (body: object) => call('PATCH /portal/api/operator/providers/:id/brand', { params: { id: provider_id }, body });
  const save = useChange((sent: Sent) => ask(sent), {
    said: () => t('The base address is saved.'),
    onDone(saved, sent) {
      // The server stores it in another form: without a slash at its end.
      if (form.getValues().base_address.trim() === (sent.base_address ?? '')) form.setValues({ base_address: saved.base_address ?? '' });
    },
  });
  const confirm = useChange((base_confirmed: boolean) => ask({ base_confirmed }), {
    said: ({ base_confirmed }) => (base_confirmed ? t('The base address is now in use.') : t('The base address is no longer in use.')),
  });
  const stored = base_address ?? '';
  const { form, submit, failed } = useSentForm<{ base_address: string }, Sent>(save, {
    initialValues: { base_address: stored },
    transformValues: (written) => ({ base_address: written.base_address.trim() || null }),
  });
  const shown = useRef(stored);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each address that is stored, whatever is written meanwhile.
  useEffect(() => {
    const before = shown.current;
    if (before === stored) return;
    shown.current = stored;
    form.setInitialValues({ base_address: stored });
    form.setValues({ base_address: takenOver(form.getValues().base_address, before, stored) });
  }, [stored]);
  return (
    <Stack gap="sm" maw={560}>
      <form onSubmit={submit} noValidate>
        <Group align="flex-end" gap="sm" wrap="nowrap">
          <TextInput
            style={{ flex: 1 }}
            label={t('Address')}
            description={t('Scheme and host name. Links in e-mails, the API reference and examples begin with it.')}
            placeholder="https://messages.example.com"
            maxLength={300}
            {...form.getInputProps('base_address')}
          />
          <Button type="submit" variant="default" loading={failed.isPending} disabled={!form.isDirty()}>
            {t('Save address')}
          </Button>
        </Group>
      </form>
      <FailureAlert error={failed.error ?? confirm.error} />
      {base_address !== null &&
        (base_confirmed ? (
          <Group gap="sm">
            <Badge variant="light" color="teal" autoContrast>
              {t('Confirmed')}
            </Badge>
            <Button variant="subtle" size="compact-sm" onClick={() => confirm.mutate(false)} loading={confirm.isPending}>
              {t('Withdraw the confirmation')}
            </Button>
          </Group>
        ) : (
          <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={t('Not confirmed yet')} p="sm">
            <Stack gap="xs" align="flex-start">
              <Text size="sm">
                {t(
                  'Until you confirm it, the address has no effect. Point it at this gateway, with a certificate, open it in another tab, and confirm it when you see the sign-in page there.',
                )}
              </Text>
              <Button size="xs" onClick={() => confirm.mutate(true)} loading={confirm.isPending}>
                {t('Confirm the address')}
              </Button>
            </Stack>
          </Alert>
        ))}
    </Stack>
  );
}
