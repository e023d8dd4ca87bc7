import { List, Text } from '@mantine/core';
import { Trans, t } from '../../../language/language.ts';

/** What a person does on the phone to scan. */
export function ScanSteps({ sandbox, phoneBelow }: { readonly sandbox: boolean; readonly phoneBelow: boolean }) {
  if (sandbox) return <AboutSandbox phoneBelow={phoneBelow} />;
  return (
    <List type="ordered" spacing="sm">
      <List.Item>{t('Open WhatsApp on the phone whose number you want to send from.')}</List.Item>
      <List.Item>
        <Trans
          i18nKey="Tap <b>Linked devices</b>. On Android it is in the menu <b>⋮</b>, on an iPhone in <b>Settings</b>."
          components={{ b: <b /> }}
        />
      </List.Item>
      <List.Item>
        <Trans i18nKey="Tap <b>Link a device</b> and unlock the phone if it asks." components={{ b: <b /> }} />
      </List.Item>
      <List.Item>{t('Point the phone at the code.')}</List.Item>
    </List>
  );
}

/** What a person does on the phone to type a code. */
export function TypeSteps({ sandbox }: { readonly sandbox: boolean }) {
  if (sandbox) return <AboutSandbox phoneBelow={false} />;
  return (
    <List type="ordered" spacing="sm">
      <List.Item>{t("Enter the phone's number here and get a code.")}</List.Item>
      <List.Item>
        <Trans i18nKey="On that phone, open WhatsApp, then <b>Linked devices</b> and <b>Link a device</b>." components={{ b: <b /> }} />
      </List.Item>
      <List.Item>
        <Trans i18nKey="Tap <b>Link with phone number instead</b>." components={{ b: <b /> }} />
      </List.Item>
      <List.Item>{t('Type the code.')}</List.Item>
    </List>
  );
}

/** `phoneBelow`: the sandbox phone is there to be used. */
function AboutSandbox({ phoneBelow }: { readonly phoneBelow: boolean }) {
  return (
    <Text>
      {t('This is a sandbox number. It behaves like a real one, but needs no phone, and nothing reaches anyone.')}
      {phoneBelow && ` ${t('Let the sandbox phone do what a person would do with theirs.')}`}
    </Text>
  );
}
