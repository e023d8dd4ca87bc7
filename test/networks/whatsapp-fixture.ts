import pino from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { startWhatsAppServer, type WhatsAppServer, type WhatsAppServerOptions } from 'whatsapp-test-server';
import { newId } from '../../src/core/index.ts';
import { type Link, type Network, nothingKnown, type VersionRecord, type VersionStore } from '../../src/networks/index.ts';
import { createWhatsAppNetwork, type WhatsAppOptions } from '../../src/networks/whatsapp/whatsapp-network.ts';
import { createManualClock } from '../support/manual-clock.ts';
import type { MeaningfulNumbers, NetworkFixture } from './fixture.ts';
import { receivedBy } from './whatsapp-content.ts';

/** The WhatsApp network on a WhatsApp server of its own. */
export interface WhatsAppFixture extends NetworkFixture {
  readonly server: WhatsAppServer;
  /** Lines the network has logged, as JSON. */
  readonly lines: readonly string[];
}

/** The numbers of one test; no two turns have one in common. */
function numbersOf(turn: number) {
  const digits = String(turn).padStart(3, '0');
  return {
    phones: [`491701${digits}001`, `491701${digits}002`],
    ordinary: [`34600${digits}222`, `34600${digits}333`],
    notOnNetwork: `34600${digits}000`,
    cannotSay: `34600${digits}001`,
    answersElsewhere: { dialled: `551198765${digits}1`, answering: `55118765${digits}1` },
    acknowledgementLost: `34600${digits}004`,
  } as const;
}

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
    timing: { acknowledgementMs: 6_000 },
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

  const numbers = meaningful(server, 111);
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

/** The numbers of this turn, treated by the server as they are meant. */
function meaningful(server: WhatsAppServer, turn: number): MeaningfulNumbers {
  const numbers = numbersOf(turn);
  server.person(numbers.notOnNetwork).is({ onNetwork: false });
  server.person(numbers.answersElsewhere.dialled).is({ answersAs: numbers.answersElsewhere.answering });
  server.faults.onUsync({ number: numbers.cannotSay, times: Number.POSITIVE_INFINITY }, { kind: 'error' });
  server.faults.onMessage({ to: numbers.acknowledgementLost }, { kind: 'lose_ack' });
  return numbers;
}

/**
 * One network and server for the tests of a file, as starting a thread takes longer than most of them. Each has numbers of its own, and closing its
 * network closes its links.
 */
export function useWhatsApp(): () => Promise<NetworkFixture> {
  let shared: WhatsAppFixture | null = null;
  let turn = 0;
  beforeAll(async () => {
    shared = await setupWhatsApp();
  });
  afterAll(async () => {
    await shared?.network.close();
    await shared?.close();
  });
  return async () => {
    if (shared === null) throw new Error('the network is not there yet');
    const { network, server } = shared;
    const links: Link[] = [];
    return {
      ...shared,
      accountId: newId(),
      numbers: meaningful(server, turn++),
      network: {
        ...network,
        open(context) {
          const link = network.open(context);
          links.push(link);
          return link;
        },
        close: async () => void (await Promise.all(links.map((link) => link.close()))),
      },
      close: async () => undefined,
    };
  };
}
