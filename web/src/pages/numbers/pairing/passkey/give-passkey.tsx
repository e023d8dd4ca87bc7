import { Anchor, Button, List, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { type FormEvent, useEffect, useState } from 'react';
import signScript from '../../../../../../extension/sign.js?raw';
import { Trans, t } from '../../../../language/language.ts';
import { CopyField } from '../../../../parts/copy-field.tsx';
import { FailureAlert } from '../../../../parts/failure-alert.tsx';
import { inPlainWords } from '../../failure-words.ts';
import { listenForAnswer, newToken, requestAddress } from './answers.ts';
import classes from './passkey.module.css';
import { useGivePasskey } from './queries.ts';

interface GivePasskeyProps {
  readonly instanceId: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** The two ways to the passkey: the extension carries request and answer, or the person does. */
export function GivePasskey({ instanceId, options }: GivePasskeyProps) {
  const [way, setWay] = useState<'extension' | 'console'>('extension');
  const give = useGivePasskey(instanceId);
  const { mutate } = give;
  const [token] = useState(newToken);
  useEffect(() => listenForAnswer(token, (credential) => mutate(credential)), [token, mutate]);
  return (
    <Stack>
      <SegmentedControl
        fullWidth
        aria-label={t('How to give the passkey')}
        value={way}
        onChange={(value) => setWay(value === 'console' ? 'console' : 'extension')}
        data={[
          { value: 'extension', label: t('With the extension') },
          { value: 'console', label: t('Without it') },
        ]}
      />
      <FailureAlert error={inPlainWords(give.error)} />
      {way === 'extension' ? (
        <WithExtension address={requestAddress({ options, token })} busy={give.isPending} />
      ) : (
        <WithConsole options={options} busy={give.isPending} onAnswer={mutate} />
      )}
    </Stack>
  );
}

function WithExtension({ address, busy }: { readonly address: string; readonly busy: boolean }) {
  return (
    <List type="ordered" spacing="sm" className={classes.steps}>
      <List.Item>
        <Trans
          i18nKey="Once per browser: <a>download the extension</a>, unpack it, and load the folder. In Chrome and Edge: <b>Extensions</b>, <b>Developer mode</b>, <b>Load unpacked</b>. In Firefox: open <b>about:debugging</b>, <b>This Firefox</b>, <b>Load Temporary Add-on</b>. It works only on WhatsApp's page, only for this portal, and stores nothing."
          components={{
            a: <Anchor href={`/portal/passkey-extension.zip?portal=${encodeURIComponent(location.origin)}`} download />,
            b: <b />,
          }}
        />
      </List.Item>
      <List.Item>
        {t("Open WhatsApp's page with the button, and use the passkey there. You do not have to be signed in on that page.")}
        <div>
          <Button
            component="a"
            href={address}
            target="_blank"
            // The extension gives the answer only to the page it was opened from.
            rel="noopener"
            referrerPolicy="origin"
            mt="xs"
            loading={busy}
            leftSection={<IconExternalLink size={18} aria-hidden />}
          >
            {t("Open WhatsApp's page")}
          </Button>
        </div>
      </List.Item>
      <List.Item>{t('The answer comes back here automatically.')}</List.Item>
    </List>
  );
}

interface WithConsoleProps {
  readonly options: GivePasskeyProps['options'];
  readonly busy: boolean;
  onAnswer(credential: unknown): void;
}

function WithConsole({ options, busy, onAnswer }: WithConsoleProps) {
  const [answer, setAnswer] = useState('');
  const [unreadable, setUnreadable] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    try {
      onAnswer(JSON.parse(answer));
      setUnreadable(false);
    } catch {
      setUnreadable(true);
    }
  };
  return (
    <form onSubmit={submit}>
      <List type="ordered" spacing="sm" className={classes.steps} styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}>
        <List.Item>
          <Trans
            i18nKey="Open <a>web.whatsapp.com</a> in another tab. You do not have to be signed in there."
            components={{ a: <Anchor href="https://web.whatsapp.com/" target="_blank" rel="noopener noreferrer" /> }}
          />
        </List.Item>
        <List.Item>
          <Trans
            i18nKey="Open the console of that tab (<b>F12</b>, then <b>Console</b>), paste this text and press Enter. The browser may ask you to type <b>allow pasting</b> first."
            components={{ b: <b /> }}
          />
          <div className={classes.snippet}>
            <CopyField
              value={`${signScript}messagingGatewayPasskey(${JSON.stringify({ options, portal: null })});`}
              label={t('text')}
              block
            />
          </div>
        </List.Item>
        <List.Item>
          {t('Use the passkey there, copy the answer, and paste it here.')}
          <Textarea
            label={t('The answer')}
            autosize
            minRows={2}
            maxRows={5}
            mt="xs"
            value={answer}
            onChange={(event) => setAnswer(event.currentTarget.value)}
            error={unreadable ? t('This is not the whole answer. It begins with { and ends with }.') : null}
            required
          />
          <Button type="submit" mt="sm" loading={busy}>
            {t('Send the answer')}
          </Button>
        </List.Item>
      </List>
      <Text size="sm" c="dimmed" mt="sm">
        {t('Never paste text from anybody else into a console: it could act in your name.')}
      </Text>
    </form>
  );
}
