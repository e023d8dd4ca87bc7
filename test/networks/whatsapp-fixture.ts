import pino from 'pino';
import { newId } from '../../src/core/index.ts';
import { type Network, nothingKnown, type VersionRecord, type VersionStore } from '../../src/networks/index.ts';
import { createWhatsAppNetwork, type WhatsAppOptions } from '../../src/networks/whatsapp/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startWhatsAppServer, type WhatsAppServer, type WhatsAppServerOptions } from '../support/whatsapp-server/index.ts';
import type { NetworkFixture } from './fixture.ts';
import { receivedBy } from './whatsapp-content.ts';

/** The WhatsApp network on a WhatsApp server of its own. */
export interface WhatsAppFixture extends NetworkFixture {
  readonly server: WhatsAppServer;
  /** Lines the network has logged, as JSON. */
  readonly lines: readonly string[];
}

const numbers = {
  ordinary: ['34600111222', '34600111333'],
  notOnNetwork: '34600110000',
  cannotSay: '34600110001',
  answersElsewhere: { dialled: '5511987654321', answering: '551187654321' },
  acknowledgementLost: '34600110004',
} as const;

/** Keeps versions in memory. */
export function memoryVersions(): VersionStore & { record: VersionRecord } {
  return {
    record: nothingKnown,
    async read() {
      return this.record;
    },
    async write(change) {
      this.record = { ...this.record, ...change };
    },
  };
}

/** Starts a server and makes a network that connects to it; `overrides` replace parts of the network's options. */
export async function setupWhatsApp(
  overrides: Partial<WhatsAppOptions> = {},
  serverOptions: WhatsAppServerOptions = {},
): Promise<WhatsAppFixture> {
  const server = await startWhatsAppServer(serverOptions);
  const clock = createManualClock();
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const whatsapp = createWhatsAppNetwork({
    clock,
    log,
    workers: 1,
    url: server.url,
    rootKey: Buffer.from(server.rootKey, 'hex'),
    caFile: server.caFile,
    retryKeepHours: 72,
    version: null,
    versionUrl: null,
    versions: memoryVersions(),
    timing: { acknowledgementMs: 2_000 },
    ...overrides,
  });
  const shown = new Map<string, { readonly code: string; readonly sequence: number }>();
  server.showsCodes(() => [...shown.values()].map(({ code }) => code));
  const network: Network = {
    ...whatsapp,
    open(context) {
      shown.delete(context.instanceId);
      return whatsapp.open({
        ...context,
        onEvent(event) {
          const before = shown.get(context.instanceId);
          if (event.type === 'code') shown.set(context.instanceId, event);
          // One that is drawn anew because a phone scans is looked at by that phone; the suite is about when codes come and go.
          if (event.type !== 'code' || event.sequence !== before?.sequence) context.onEvent(event);
        },
      });
    },
  };

  server.person(numbers.notOnNetwork).is({ onNetwork: false });
  server.person(numbers.answersElsewhere.dialled).is({ answersAs: numbers.answersElsewhere.answering });
  server.faults.onUsync({ number: numbers.cannotSay, times: Number.POSITIVE_INFINITY }, { kind: 'error' });
  server.faults.onMessage({ to: numbers.acknowledgementLost }, { kind: 'lose_ack' });

  return {
    network,
    server,
    lines,
    clock,
    accountId: newId(),
    codeLifetimesMs: [60_000, 20_000, 20_000, 20_000, 20_000, 20_000],
    numbers,
    scan: (code, phoneNumber) => server.person(phoneNumber).scan(code),
    unlink: (phoneNumber) => server.person(phoneNumber).unlink(),
    received: (to) => receivedBy(server.person(to)),
    close: () => server.close(),
  };
}
