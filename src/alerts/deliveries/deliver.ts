import { Webhook } from 'standardwebhooks';
import { type BrandedMail, type Brands, brandedMail, ownAddress, serviceOf } from '../../branding/index.ts';
import { GatewayError, hourMs, type Log, type Vault } from '../../core/index.ts';
import type { Languages } from '../../language/index.ts';
import type { WebhookPost } from '../../media/index.ts';
import { languageAt } from '../../people/index.ts';
import type { Store } from '../../store/index.ts';
import { type AlertBody, mailOf } from '../body.ts';
import { inScope } from '../scope.ts';
import { confirmationToken } from '../targets/confirmation.ts';
import { secretsReady, signingSecrets } from '../targets/secrets.ts';
import { changeBody, countMail, type DueDelivery, removeDelivery, storeAttempt, uncountMail } from './queries.ts';

/** So many mails an hour go to the targets of one account and of one provider, and so many ask an address whether it wants any. */
const mailsPerHour = { account: 60, provider: 300, confirm: 10 } as const;
/** A delivery is tried for so long. */
const tryMs = 24 * 60 * 60 * 1000;
const firstWaitMs = 5_000;
const longestWaitMs = 2 * 60 * 60 * 1000;
/** The receiver is gone for good (Standard Webhooks). */
const gone = 410;

export interface DeliverOptions {
  readonly store: Store;
  readonly vault: Vault;
  /** The time that all servers judge by. */
  readonly now: () => Promise<number>;
  readonly webhooks: WebhookPost;
  /** A mail is in the language of the person who has its address, if known. */
  readonly languages: Languages;
  /** Sends a mail; false when the mail server did not take it. null: there is no mail server. */
  readonly sendMail: ((to: string, mail: BrandedMail) => Promise<boolean>) | null;
  /** A mail is under the brand of the provider that the target belongs to, or its account. */
  readonly brands: Pick<Brands, 'ofPlace'>;
  /** Where the gateway is reached; null only where there is no mail server. */
  readonly publicUrl: string | null;
  readonly random: () => number;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

/** Tries a delivery that was taken, once. A process that ends in the middle leaves it to be tried again, so it may arrive twice. */
export async function deliver(options: DeliverOptions, delivery: DueDelivery, signal: AbortSignal): Promise<void> {
  const { store, log, random } = options;
  const { delivery_id: id, attempts, at } = delivery;
  const due = await narrowToScope(store.db, delivery);
  if (due === null) return;
  const attempt = await tryOnce(options, due, signal);
  // The stop of this process cut it off; the next one tries again.
  if (signal.aborted && !attempt.arrived) return;
  const now = await options.now();
  const waitMs = attempt.waitMs ?? Math.min(longestWaitMs, firstWaitMs * 4 ** Math.min(attempts - 1, 10)) * (0.8 + 0.4 * random());
  const over = attempt.arrived || attempt.final || now + waitMs > at + tryMs;
  if (over && !attempt.arrived)
    log.warn({ target: delivery.id, delivery: id, outcome: attempt.outcome }, 'an alert could not be delivered');
  const state = attempt.arrived ? ('delivered' as const) : over ? ('given_up' as const) : ('waiting' as const);
  const { outcome } = attempt;
  await storeAttempt(store.db, { id, attempts, state, outcome, next_at: over ? null : now + waitMs, ended_at: over ? now : null });
}

interface Attempt {
  readonly arrived: boolean;
  /** In words. */
  readonly outcome: string;
  /** How long to wait for the next attempt, where that is known. */
  readonly waitMs?: number;
  /** No further attempt would change it. */
  readonly final?: boolean;
}

/** The delivery with what is in its target's scope at this moment; the rest is removed from the store too. null: nothing is left. */
async function narrowToScope(db: Store['db'], delivery: DueDelivery): Promise<DueDelivery | null> {
  const body = await inScope(db, delivery, JSON.parse(delivery.body) as AlertBody);
  if (body === null) {
    await removeDelivery(db, delivery.delivery_id);
    return null;
  }
  const text = JSON.stringify(body);
  if (text !== delivery.body) await changeBody(db, delivery.delivery_id, text);
  return { ...delivery, body: text };
}

async function tryOnce(options: DeliverOptions, delivery: DueDelivery, signal: AbortSignal): Promise<Attempt> {
  try {
    return delivery.kind === 'mail' ? await mail(options, delivery, signal) : await post(options, delivery, signal);
  } catch (error) {
    if (error instanceof GatewayError) return { arrived: false, outcome: error.message };
    options.log.warn({ err: error, target: delivery.id }, 'an alert could not be sent');
    return { arrived: false, outcome: 'it failed unexpectedly; the log says how' };
  }
}

async function mail(options: DeliverOptions, delivery: DueDelivery, signal: AbortSignal): Promise<Attempt> {
  const { sendMail, store, languages, brands, vault, publicUrl } = options;
  const { address, account_id: accountId, provider_id: providerId } = delivery;
  if (sendMail === null) return { arrived: false, outcome: 'no mail server is set up (SMTP_URL)' };
  const body = JSON.parse(delivery.body) as AlertBody;
  const now = await options.now();
  const counted = mailBudget(delivery, body, now);
  if (counted !== null && !(await countMail(store.db, counted))) {
    const waitMs = (counted.hour + 1) * hourMs - now + options.random() * (hourMs / 12);
    return { arrived: false, outcome: 'too many mails in this hour; it waits for the next one', waitMs };
  }
  const { t } = languages((await languageAt(store.db, address)) ?? 'en');
  const brand = await brands.ofPlace({ accountId, providerId });
  const link = `${ownAddress(brand) ?? publicUrl ?? ''}/link/${confirmationToken(vault, delivery)}`;
  const text = brandedMail(mailOf(body, t, { link, ...serviceOf(brand) }), brand);
  const sent = await unlessAborted(() => sendMail(address, text), signal);
  if (!sent && counted !== null) await uncountMail(store.db, counted);
  return { arrived: sent, outcome: sent ? 'the mail server took it' : 'the mail server did not take it' };
}

/** What the work gives; false as soon as the signal is aborted: a mail server that is silent would outlast the stop of this process. */
async function unlessAborted(work: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const { promise: aborted, resolve } = Promise.withResolvers<boolean>();
  const onAbort = () => resolve(false);
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Whose mail it is, and how many of these an hour may have; null: mails to the operators of the installation are not limited. */
function mailBudget({ account_id, provider_id }: DueDelivery, { type }: AlertBody, now: number) {
  const owner = account_id ?? provider_id;
  if (owner === null) return null;
  const hour = Math.floor(now / hourMs);
  if (type === 'confirm') return { owner: `confirm ${owner}`, hour, most: mailsPerHour.confirm };
  return account_id === null ? { owner, hour, most: mailsPerHour.provider } : accountMails(account_id, now);
}

/** What an account's mails of this hour are counted in. */
export function accountMails(accountId: string, now: number) {
  return { owner: accountId, hour: Math.floor(now / hourMs), most: mailsPerHour.account };
}

async function post({ vault, webhooks, now: time }: DeliverOptions, delivery: DueDelivery, signal: AbortSignal): Promise<Attempt> {
  const { delivery_id: id, address, body } = delivery;
  const now = new Date(await time());
  await secretsReady(vault, delivery);
  const signature = signingSecrets(vault, delivery, now.getTime())
    .map((secret) => new Webhook(secret).sign(id, now, body))
    .join(' ');
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(now.getTime() / 1000)), 'webhook-signature': signature };
  const status = await webhooks.post(address, body, { headers, signal });
  return { arrived: status >= 200 && status < 300, outcome: `answered ${status}`, final: status === gone };
}
