import { Anchor, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAccountId, useSession } from '../../session/session.ts';
import { keysQuery } from '../keys/keys.ts';
import { CodePanel } from './code-panel.tsx';
import { curlOf } from './curl.ts';

interface CurlPanelProps {
  readonly type: string;
  readonly body: unknown;
  readonly idempotencyKey: string;
}

/** The same request for a program: a command that follows the form. */
export function CurlPanel({ type, ...request }: CurlPanelProps) {
  const { base_url } = useSession();
  return (
    <CodePanel title="The same from a program" label="Command" code={curlOf({ url: `${base_url}/v1/messages/${type}`, ...request })}>
      <Text size="sm" mt="xs" mih={44}>
        <KeyHint />
      </Text>
    </CodePanel>
  );
}

function KeyHint() {
  const { data } = useQuery(keysQuery(useAccountId()));
  if (data === undefined) return null;
  const live = data.keys.filter(({ revoked_at }) => revoked_at === null);
  const [likely] = live.toSorted((one, other) => (other.last_used_at ?? '').localeCompare(one.last_used_at ?? ''));
  if (likely === undefined) {
    return (
      <>
        You need an API key for it.{' '}
        <Anchor renderRoot={(props) => <Link to="/keys" search={{ add: true }} {...props} />} inherit underline="always">
          Create one
        </Anchor>{' '}
        and put it in the place of YOUR_API_KEY.
      </>
    );
  }
  return (
    <>
      Put your key in the place of YOUR_API_KEY: the one that begins with <Code>{likely.prefix}</Code>
      {likely.label !== null && <> ({likely.label})</>}.
    </>
  );
}
