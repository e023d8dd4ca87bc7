import { setTimeout as sleep } from 'node:timers/promises';
import type { WhatsAppServer } from '../support/whatsapp-server/index.ts';
import type { Sender } from './customers.ts';
import type { LoadClient } from './load-client.ts';

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

/** Makes an instance for each account and has its owner's phone scan the code. */
export async function linkByScan(
  client: LoadClient,
  server: WhatsAppServer,
  accounts: readonly Omit<Sender, 'instanceId'>[],
): Promise<Sender[]> {
  const senders: Sender[] = [];
  for (const account of accounts) {
    const created = await client.call({ path: '/v1/instances', key: account.key, body: {} });
    if (created.status !== 200) throw new Error(`no instance: ${JSON.stringify(created.body)}`);
    const instanceId: string = created.body.data.instance_id;
    const codeAfter = (old: string | null) =>
      until(`a code of ${instanceId}`, async () => {
        const shown = await client.call({ method: 'GET', path: `/v1/instances/${instanceId}/qr`, key: account.key });
        const code: unknown = shown.body?.data?.qrcode?.code;
        return typeof code === 'string' && code !== old ? code : null;
      });
    const code = await codeAfter(null);
    await server.person(account.phoneNumber).scan(code, () => codeAfter(code));
    const sender = { ...account, instanceId };
    await awaitOpen(client, [sender]);
    senders.push(sender);
  }
  return senders;
}

/** Resolves when every number's status is `open`; rejects after 30 s, as for one that would have to be scanned again. */
export async function awaitOpen(client: LoadClient, senders: readonly Sender[]): Promise<void> {
  for (const { instanceId, key, phoneNumber } of senders) {
    await until(`${phoneNumber} to be open`, async () => {
      const { body } = await client.call({ method: 'GET', path: `/v1/instances/${instanceId}/status`, key });
      return body?.data?.status === 'open' ? true : null;
    });
  }
}

/** Resolves with what `look` finds as soon as it is not null; rejects after 30 s. */
export async function until<Found>(what: string, look: () => Promise<Found | null>): Promise<Found> {
  const end = Date.now() + 30_000;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await sleep(50);
  }
}
