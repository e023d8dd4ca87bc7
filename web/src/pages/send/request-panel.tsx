import { Anchor, Code, SegmentedControl, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { codeLanguages, codeOf } from '../../../../src/code/index.ts';
import { Trans, t } from '../../language/language.ts';
import { keysQuery } from '../../parts/keys/keys.ts';
import { useAccountId, useSession } from '../../session/session.ts';
import { CodePanel } from './code-panel.tsx';

interface RequestPanelProps {
  readonly type: string;
  readonly body: unknown;
  /** Empty for none. */
  readonly idempotencyKey: string;
}

/** The same request for a program: code that follows the form, in the language that was chosen last. */
export function RequestPanel({ type, body, idempotencyKey }: RequestPanelProps) {
  const { base_url, idempotency } = useSession();
  const [chosen, choose] = useLocalStorage({ key: 'code-language', defaultValue: 'curl', getInitialValueInEffect: false });
  const language = codeLanguages.find(({ id }) => id === chosen) ?? codeLanguages[0];
  const code = codeOf(language.id, {
    method: 'POST',
    url: `${base_url}/v1/messages/${type}`,
    body,
    apiKey: 'YOUR_API_KEY',
    // Code with a key tries again, which would send again where keys do not count.
    idempotencyKey: idempotency ? idempotencyKey || exampleKey(JSON.stringify([type, body])) : null,
  });
  return (
    <CodePanel
      title={t('The same from a program')}
      label={t('Code')}
      code={code}
      above={
        <SegmentedControl
          size="xs"
          fullWidth
          mb="xs"
          aria-label={t('Language')}
          value={language.id}
          onChange={choose}
          data={codeLanguages.map(({ id, name }) => ({ value: id, label: name }))}
        />
      }
    >
      <Text size="sm" mt="xs" mih={44}>
        <KeyHint />
      </Text>
    </CodePanel>
  );
}

/** As a program would name an order's message, and another one for other content, so that one message after the other can be tried. */
function exampleKey(content: string): string {
  let hash = 0;
  for (let index = 0; index < content.length; index++) hash = (Math.imul(hash, 31) + content.charCodeAt(index)) >>> 0;
  return `order-1042:${hash.toString(36)}`;
}

function KeyHint() {
  const { data } = useQuery(keysQuery(useAccountId(), { sort: '-used', limit: '1' }));
  if (data === undefined) return null;
  const [likely] = data.rows;
  if (likely === undefined) {
    return (
      <Trans
        i18nKey="You need an API key for it. <a>Create one</a> and put it in place of YOUR_API_KEY."
        components={{
          a: <Anchor renderRoot={(props) => <Link to="/keys" search={{ add: true }} {...props} />} inherit underline="always" />,
        }}
      />
    );
  }
  return (
    <Trans
      i18nKey="Put your key in place of YOUR_API_KEY: the one that begins with <code>{{prefix}}</code>{{label}}."
      values={{ prefix: likely.prefix, label: likely.label === null ? '' : ` (${likely.label})` }}
      components={{ code: <Code /> }}
    />
  );
}
