import { Button, ColorInput, Grid, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ProviderBrand } from '../../../../../src/portal/wire/brand.ts';
import { call } from '../../../api/client.ts';
import { t } from '../../../language/language.ts';
import { fieldsBefore } from '../../../parts/changed-fields.ts';
import { FailureAlert } from '../../../parts/failure-alert.tsx';
import { takenOver } from '../../../parts/taken-over.ts';
import { useChange } from '../../../parts/use-change.ts';
import { useSentForm } from '../../../parts/use-sent-form.ts';
import { sessionQuery } from '../../../session/session.ts';
import { Preview } from './preview.tsx';

const fields = ['name', 'colour', 'sender_name', 'reply_to', 'mail_intro', 'mail_footer'] as const;
type Field = (typeof fields)[number];
type Written = Record<Field, string>;
type Sent = Partial<Record<Field, string | null>>;

const colourPattern = /^#[0-9a-f]{6}$/i;

/** The name, the colour and the mails of a brand, with what customers see of them. */
export function BrandForm({ brand }: { readonly brand: ProviderBrand }) {
  const send = (sent: Sent) => call('PATCH /portal/api/operator/providers/:id/brand', { params: { id: brand.provider_id }, body: sent });
  const save = useChange(send, {
    said: () => t('The brand is saved.'),
    also: [sessionQuery.queryKey],
    back: (sent) => () => send(fieldsBefore(sent, brand)),
    onDone(saved, sent) {
      // The server stores some texts in another form: a colour in lower case.
      const still = fields.filter((field) => (form.getValues()[field].trim() || null) === sent[field]);
      form.setValues(Object.fromEntries(still.map((field) => [field, saved[field] ?? ''])));
    },
  });
  const stored = Object.fromEntries(fields.map((field) => [field, brand[field] ?? ''])) as Written;
  const { form, submit, failed } = useSentForm<Written, Sent>(save, {
    initialValues: stored,
    transformValues: (written) =>
      Object.fromEntries(fields.filter((field) => written[field] !== stored[field]).map((field) => [field, written[field].trim() || null])),
    validate: { colour: (colour) => (colour === '' || colourPattern.test(colour) ? null : t('Write the colour as in #0a7b83.')) },
  });
  const shown = useRef(stored);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts count; each time the page is drawn they are in another object.
  useEffect(() => {
    const before = shown.current;
    if (before === stored) return;
    shown.current = stored;
    const written = form.getValues();
    form.setInitialValues(stored);
    form.setValues(Object.fromEntries(fields.map((field) => [field, takenOver(written[field], before[field], stored[field])])));
  }, [JSON.stringify(stored)]);
  const { name, colour, sender_name, mail_intro, mail_footer } = form.values;
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: 6 }}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <TextInput
              label={t('Name')}
              description={t('Replaces “Messaging Gateway” on the pages, in e-mails and in the API reference.')}
              placeholder="Messaging Gateway"
              maxLength={100}
              autoComplete="off"
              {...form.getInputProps('name')}
            />
            <ColorInput
              label={t('Colour')}
              description={t('For buttons and links. Where text in it would be hard to read, it is made darker or lighter.')}
              format="hex"
              maxLength={7}
              popoverProps={{ withinPortal: false }}
              eyeDropperButtonProps={{ 'aria-label': t('Pick a colour from the screen') }}
              {...form.getInputProps('colour')}
            />
            <TextInput
              label={t('Sender of e-mails')}
              description={t('The name shown before the address that e-mails come from.')}
              placeholder={name}
              maxLength={100}
              autoComplete="off"
              {...form.getInputProps('sender_name')}
            />
            <TextInput
              type="email"
              label={t('Replies to e-mails go to')}
              maxLength={254}
              autoComplete="off"
              {...form.getInputProps('reply_to')}
            />
            <Textarea
              label={t('At the beginning of e-mails')}
              maxLength={1000}
              autosize
              minRows={2}
              maxRows={8}
              {...form.getInputProps('mail_intro')}
            />
            <Textarea
              label={t('At the end of e-mails')}
              maxLength={1000}
              autosize
              minRows={2}
              maxRows={8}
              {...form.getInputProps('mail_footer')}
            />
            <FailureAlert error={failed.error} />
            <Group>
              <Button type="submit" loading={failed.isPending} disabled={!form.isDirty()}>
                {t('Save brand')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Preview
          name={name.trim()}
          colour={colourPattern.test(colour) ? colour.toLowerCase() : null}
          logo={brand.logo}
          sender={sender_name.trim()}
          intro={mail_intro.trim()}
          footer={mail_footer.trim()}
        />
      </Grid.Col>
    </Grid>
  );
}
