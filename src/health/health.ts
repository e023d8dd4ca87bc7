import type { Config } from '../config/index.ts';
import { systemClock, withTimeout } from '../core/index.ts';
import type { PendingWrites } from '../outbox/index.ts';
import type { Store } from '../store/index.ts';
import { type Finding, fail, type Machine, t, warn } from './checks/check.ts';
import { dataFolder } from './checks/data-folder.ts';
import { machine as machineFindings, mediaTools } from './checks/machine.ts';
import { type MailProbe, mail } from './checks/mail.ts';
import { type ServersProbe, servers } from './checks/servers.ts';
import { droppedNumbers, openDatabase, pendingWrites, writing } from './checks/store.ts';
import { tls } from './checks/tls.ts';
import { whatsapp, whatsappVersion } from './checks/whatsapp.ts';
import { type EventLoopDelay, watchEventLoop } from './event-loop.ts';

/** How long findings count: some checks ask other servers and start programs. */
const freshMs = 60_000;
/** How long the store may take to answer. */
const answerMs = 5000;
const late = { seconds: answerMs / 1000 };

/** The health of a running server. */
export interface HealthReading {
  readonly startedAt: number;
  readonly store: { readonly ok: boolean; readonly latencyMs: number };
  readonly eventLoop: EventLoopDelay;
  readonly findings: readonly Finding[];
}

export interface Health {
  read(): Promise<HealthReading>;
  stop(): Promise<void>;
}

interface Sources {
  readonly store: Store;
  /** Also those that this server has not been able to store. */
  readonly pending: () => Promise<PendingWrites>;
  readonly probe: MailProbe | null;
  readonly others: ServersProbe | null;
}

/** Checks a running server: what `gateway doctor` checks, as far as it makes sense from inside, its store and its event loop. */
export function createHealth(machine: Machine, config: Config, { store, pending, probe, others }: Sources): Health {
  const { clock } = machine;
  const startedAt = clock.now();
  // Node measures the delays in real time.
  const eventLoop = watchEventLoop(systemClock);
  let looked: { at: number; findings: Promise<readonly Finding[]> } | null = null;

  async function look(): Promise<readonly Finding[]> {
    const found = await Promise.all([
      dataFolder(machine, config),
      withTimeout(clock, answerMs, openDatabase(machine, config, store), () => [
        fail('database', t('did not answer within {{seconds}} seconds', late), t('check that it is running and not overloaded')),
      ]),
      tls(machine, config),
      mediaTools(machine, config),
      whatsapp(machine, config),
      withTimeout(clock, answerMs, mail(probe, config), () => [
        warn(
          'mail',
          t('the mail server did not answer within {{seconds}} seconds', late),
          t('check that it is running and that SMTP_URL names it'),
        ),
      ]),
      withTimeout(clock, answerMs, inStore(), () => []),
      withTimeout(clock, answerMs, servers(others), () => []),
      withTimeout(clock, answerMs, whatsappVersion(machine, config, store), () => []),
    ]);
    return [...machineFindings(machine), ...found.flat()];
  }

  async function inStore(): Promise<Finding[]> {
    return [await droppedNumbers(machine, store), await pendingWrites(machine, store, pending)];
  }

  function findings(): Promise<readonly Finding[]> {
    const now = clock.monotonic();
    if (looked === null || now - looked.at >= freshMs) {
      const current = { at: now, findings: look() };
      looked = current;
      // A failure is not kept.
      current.findings.catch(() => {
        if (looked === current) looked = null;
      });
    }
    return looked.findings;
  }

  /** Not kept: whether the store can be written is asked each time. */
  async function triedStore(): Promise<{ readonly finding: Finding; readonly latencyMs: number }> {
    const start = clock.monotonic();
    const finding = await withTimeout(clock, answerMs, writing(store), () =>
      fail('writing', t('the database did not answer within {{seconds}} seconds', late), t('check that it is running and not overloaded')),
    );
    return { finding, latencyMs: Math.round((clock.monotonic() - start) * 100) / 100 };
  }

  return {
    async read() {
      const [found, { finding, latencyMs }] = await Promise.all([findings(), triedStore()]);
      const tried = { ok: finding.state === 'ok', latencyMs };
      return { startedAt, store: tried, eventLoop: eventLoop.read(), findings: [...found, finding] };
    },
    stop: () => eventLoop.stop(),
  };
}
