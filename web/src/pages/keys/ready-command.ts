import type { LiveInstance } from '../../../../src/portal/wire/live.ts';
import { t } from '../../language/language.ts';

/** A contact of the sandbox that answers like any other. */
const sandboxContact = '15550123';

/** Of an API key, what may be shown of it later. */
const prefixLength = 12;

interface Ingredients {
  readonly baseUrl: string;
  readonly key: string;
  readonly numbers: readonly Pick<LiveInstance, 'instance_id' | 'connected' | 'phone_number' | 'network'>[];
}

/** A command that works as it is when pasted into a terminal: a first message where a number can send, else the list of numbers. */
export function readyCommand({ baseUrl, key, numbers }: Ingredients): { readonly about: string; readonly command: string } {
  const open = numbers.filter(({ connected, phone_number }) => connected && phone_number !== null);
  const number = open.find(({ network }) => network === 'sandbox') ?? open[0];
  if (number === undefined) {
    return {
      about: t('Paste this into a terminal. It lists your numbers and sends nothing.'),
      command: `curl -s ${baseUrl}/v1/instances \\\n  -H 'apikey: ${key}'`,
    };
  }
  const sandbox = number.network === 'sandbox';
  const body = JSON.stringify({
    instance_id: number.instance_id,
    // To oneself: a stranger should not get the first try.
    to: sandbox ? sandboxContact : number.phone_number,
    text: 'Hello from my gateway',
  });
  return {
    about: sandbox
      ? t('Paste this into a terminal. It sends a message from your sandbox number to a sandbox contact, so nothing reaches anyone.')
      : t('Paste this into a terminal. It sends a message from your number to itself.'),
    // Named after the API key, so that it sends once however often it is pasted, and a new API key can be tried too.
    command: `curl -s ${baseUrl}/v1/messages/text \\\n  -H 'apikey: ${key}' \\\n  -H 'idempotency-key: first:${key.slice(0, prefixLength)}' \\\n  -H 'content-type: application/json' \\\n  -d '${body}'`,
  };
}
