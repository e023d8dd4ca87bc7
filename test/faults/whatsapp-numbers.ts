import { setTimeout as sleep } from 'node:timers/promises';
import type { WhatsAppServer } from 'whatsapp-test-server';
import type { Sender } from './customers.ts';
import { type LoadClient, workOff } from './load-client.ts';

/** How often a person scans until it has to succeed. */
const scanTries = 3;

/** The settings with which a gateway process uses this server as its only network. */
export function whatsappSettings(server: WhatsAppServer): Record<string, string> {
  return {
    NETWORKS: 'whatsapp',
    WHATSAPP_WORKERS: '1',
    WHATSAPP_URL: server.url,
    WHATSAPP_ROOT_KEY: server.rootKey,
    WHATSAPP_CA_FILE: server.caFile,
  };
}

/** Makes an instance for each account and has its owner's phone scan the code, for so many of them at a time. */
export async function linkByScan(
  client: LoadClient,
  server: WhatsAppServer,
  accounts: readonly Omit<Sender, 'instanceId'>[],
  atOnce = 1,
): Promise<Sender[]> {
  const senders = new Map<string, Sender>();
  await workOff(accounts, atOnce, async (account) => {
    const created = await client.call({ path: '/v1/instances', key: account.key, body: {} });
    if (created.status !== 200) throw new Error(`no instance: ${JSON.stringify(created.body)}`);
    const instanceId: string = created.body.data.instance_id;
    const codeAfter = (old: string | null) =>
      until(`a code of ${instanceId}`, async () => {
        const shown = await client.call({ method: 'GET', path: `/v1/instances/${instanceId}/qr`, key: account.key });
        const code: unknown = shown.body?.data?.qrcode?.code;
        return typeof code === 'string' && code !== old ? code : null;
      });
    for (let tries = 1, code = await codeAfter(null); ; tries++, code = await codeAfter(code)) {
      try {
        await server.person(account.phoneNumber).scan(code, () => codeAfter(code));
        break;
      } catch (error) {
        // The attempt ends when its number goes to another server, which shows a code of its own.
        if (tries === scanTries) throw error;
      }
    }
    const sender = { ...account, instanceId };
    await awaitOpen(client, [sender]);
    senders.set(account.accountId, sender);
    return undefined;
  });
  return accounts.flatMap(({ accountId }) => senders.get(accountId) ?? []);
}

/** Resolves when every number's status is `open`; rejects after two minutes, as for one that would have to be scanned again. */
export async function awaitOpen(client: LoadClient, senders: readonly Sender[]): Promise<void> {
  for (const { instanceId, key, phoneNumber } of senders) {
    let last = '';
    await until(
      () => `${phoneNumber} to be open: ${last}`,
      async () => {
        const { body } = await client.call({ method: 'GET', path: `/v1/instances/${instanceId}/status`, key });
        last = JSON.stringify(body);
        return body?.data?.status === 'open' ? true : null;
      },
    );
  }
}

/** Resolves with what `look` finds as soon as it is not null; rejects after two minutes. */
export async function until<Found>(what: string | (() => string), look: () => Promise<Found | null>): Promise<Found> {
  const end = Date.now() + 120_000;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${typeof what === 'string' ? what : what()}`);
    await sleep(50);
  }
}
