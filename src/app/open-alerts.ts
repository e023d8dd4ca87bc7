import { hostname } from 'node:os';
import {
  Alerts,
  clientVersionWatch,
  diskWatch,
  ErrorRate,
  MailWatch,
  Measuring,
  type MessageEvents,
  pendingWritesWatch,
} from '../alerts/index.ts';
import type { Brands } from '../branding/index.ts';
import type { Config } from '../config/index.ts';
import type { Languages } from '../language/index.ts';
import { type AddressGuard, createWebhookPost } from '../media/index.ts';
import { createMail, type Mail } from '../portal/index.ts';
import type { Stored } from './storage.ts';

interface Needed extends Stored {
  readonly guard: AddressGuard;
  readonly messages: MessageEvents;
  readonly languages: Languages;
  readonly brands: Brands;
}

/** The alerts, and the mail they share with the portal: whether it is taken is one of the things they watch. `errorRate` counts every answer. */
export function openAlerts(context: Needed) {
  const { config, sharedTime, shutdown, store, clock, log } = context;
  const errorRate = new ErrorRate(config.alertErrorRate);
  const mailWatch = new MailWatch(() => clock.now());
  const mail = openMail(config, { clock, log, tried: mailWatch.tried });
  const versionWatch = config.networks.includes('whatsapp') ? [clientVersionWatch(store.db, config.whatsapp.version)] : [];
  const watches = [diskWatch(config.dataDir), pendingWritesWatch(store.db), errorRate, mailWatch, ...versionWatch];
  const alerts = new Alerts({
    ...context,
    ...sharedTime,
    measuring: new Measuring({ store, watches, server: hostname(), log }),
    webhooks: createWebhookPost(context),
    publicUrl: config.publicUrl,
    sendMail: mail === null ? null : (to, text) => mail.send(to, text),
  });
  shutdown.add(() => alerts.stop());
  alerts.start();
  return { mail, errorRate };
}

/** The mail server that the settings name; null: none. */
export function openMail(config: Config, options: Parameters<typeof createMail>[1]): Mail | null {
  return config.mail === null ? null : createMail(config.mail, options);
}
