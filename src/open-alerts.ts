import { hostname } from 'node:os';
import type { Logger } from 'pino';
import {
  Alerts,
  clientVersionWatch,
  diskWatch,
  ErrorRate,
  MailWatch,
  Measuring,
  type MessageEvents,
  pendingWritesWatch,
} from './alerts/index.ts';
import type { Config } from './config/index.ts';
import type { Clock, Vault } from './core/index.ts';
import type { Languages } from './language/index.ts';
import { type AddressGuard, createWebhookPost } from './media/index.ts';
import { openMail } from './open-mail.ts';
import type { Mail } from './portal/index.ts';
import type { Store } from './store/index.ts';

interface AlertsOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  /** The time that all servers judge by; absent: the store's. */
  readonly now?: () => Promise<number>;
  readonly guard: AddressGuard;
  readonly messages: MessageEvents;
  readonly languages: Languages;
  readonly random: () => number;
  readonly log: Logger;
}

interface OpenedAlerts {
  readonly alerts: Alerts;
  /** null: no mail server is set up. */
  readonly mail: Mail | null;
  /** Must be told of every answer. */
  readonly errorRate: ErrorRate;
}

/** The alerts, and the mail they share with the portal: whether it is taken is one of the things they watch. */
export function openAlerts(config: Config, { guard, ...options }: AlertsOptions): OpenedAlerts {
  const { store, clock, log } = options;
  const errorRate = new ErrorRate({ bound: config.alertErrorRate, now: () => clock.now() });
  const mailWatch = new MailWatch(() => clock.now());
  const mailServer = openMail(config, { clock, log });
  const mail: Mail | null =
    mailServer === null ? null : { send: mailWatch.watched((to, text) => mailServer.send(to, text)), verify: () => mailServer.verify() };
  const versionWatch = config.networks.includes('whatsapp') ? [clientVersionWatch(store.db, config.whatsapp.version)] : [];
  const watches = [diskWatch(config.dataDir), pendingWritesWatch(store.db), errorRate, mailWatch, ...versionWatch];
  const alerts = new Alerts({
    ...options,
    measuring: new Measuring({ store, watches, server: hostname(), log }),
    webhooks: createWebhookPost({ guard, clock }),
    publicUrl: config.publicUrl,
    sendMail: mail === null ? null : (to, text) => mail.send(to, text),
  });
  return { alerts, mail, errorRate };
}
