import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readyCommand } from '../../web/src/pages/keys/ready-command.ts';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';

/** What a shell makes of the command: the words that reach curl. */
function words(command: string): readonly string[] {
  const shell = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${command}\n`;
  return execFileSync('/bin/sh', ['-c', shell], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

/** Does what curl would do with these words: -s, one URL, -H name: value, -d makes it a POST. */
async function run(command: string): Promise<Response> {
  const headers = new Headers();
  let url = '';
  let body: string | undefined;
  const rest = [...words(command)];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '-s') continue;
    if (word === '-H') headers.set(...halves(rest.shift() ?? ''));
    else if (word === '-d') body = rest.shift();
    else url = word;
  }
  return fetch(url, { headers, ...(body === undefined ? {} : { method: 'POST', body }) });
}

function halves(header: string): [string, string] {
  const [name = '', ...value] = header.split(': ');
  return [name, value.join(': ')];
}

describe('the command that comes with a new key', () => {
  let gateway: TestGateway;
  let customer: Customer;
  beforeAll(async () => {
    gateway = await startGateway();
    customer = await gateway.customer();
  });
  afterAll(() => gateway.stop());

  const numbers = async () => (await customer.call('GET', '/v1/instances')).body.data.instances;
  const command = async () => readyCommand({ baseUrl: gateway.address, key: customer.key, numbers: await numbers() }).command;

  it('lists the numbers while none can send', async () => {
    await customer.call('POST', '/v1/instances', { network: 'sandbox' });
    const answer = await run(await command());
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ success: true, data: { instances: [{ network: 'sandbox', connected: false }] } });
  });

  it('sends a first message from a sandbox number to a sandbox contact', async () => {
    const instance_id = await customer.linked('491710000300');
    const answer = await run(await command());
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ data: { instance_id, type: 'text', status: 'sent' } });
    // However often it is pasted.
    expect((await run(await command())).headers.get('idempotency-replayed')).toBe('true');
    expect(await customer.received('15550123')).toMatchObject([{ from: '491710000300', type: 'text' }]);
  });

  it('writes from a real number to itself, and prefers a sandbox number', () => {
    const real = { instance_id: 'a', connected: true, phone_number: '491710000301', network: 'whatsapp' };
    const sandbox = { instance_id: 'b', connected: true, phone_number: '491710000302', network: 'sandbox' };
    const bodyOf = (list: Parameters<typeof readyCommand>[0]['numbers']) =>
      JSON.parse(words(readyCommand({ baseUrl: 'http://here', key: 'k', numbers: list }).command).at(-1) ?? '');
    expect(bodyOf([real])).toMatchObject({ instance_id: 'a', to: '491710000301' });
    expect(bodyOf([real, sandbox])).toMatchObject({ instance_id: 'b', to: '15550123' });
  });
});
