import type { Languages } from '../language/index.ts';
import { languageAt } from '../people/index.ts';
import type { Store } from '../store/index.ts';
import { mailOf } from './body.ts';
import { accountMails } from './deliveries/deliver.ts';
import { countMail, uncountMail } from './deliveries/queries.ts';
import type { Alert } from './webhooks.ts';

/** A number that somebody should look at. */
export interface NumberInNeed extends Pick<Alert, 'account_name' | 'instance_id' | 'phone_number' | 'label' | 'reason' | 'until'> {
  /** Since when, ISO 8601. */
  readonly at: string;
  readonly needsPerson: boolean;
}

interface OwnersMail {
  readonly accountId: string;
  readonly owners: readonly string[];
  readonly numbers: readonly NumberInNeed[];
  /** Where they do something about it. */
  readonly link: string;
}

/** After so many failures in a row the mail server is not asked again: each may have taken half a minute. */
const enoughFailures = 2;

interface MailOptions {
  readonly store: Store;
  readonly languages: Languages;
  readonly now: number;
  /** Whether the mail server took it. */
  send(to: string, mail: { readonly subject: string; readonly text: string }): Promise<boolean>;
}

/**
 * Mails an account's owners what is wrong with numbers of it, in the words of alerts and each in their own language; counted with the mails that the
 * account's alert targets get in this hour. Gives whom the mail server took a mail for; it stops when that seems to take none.
 */
export async function mailOwners({ store, languages, now, send }: MailOptions, { accountId, owners, numbers, link }: OwnersMail) {
  const alerts = numbers.map(({ needsPerson, ...number }) => ({
    ...number,
    ...{ alert_id: '', account_id: accountId, server: null, phase: 'began' as const, text: '' },
    condition: needsPerson ? 'number_needs_person' : 'number_restricted',
  }));
  const mailed: string[] = [];
  let failures = 0;
  for (const owner of owners) {
    if (failures === enoughFailures) break;
    const counted = accountMails(accountId, now);
    if (!(await countMail(store.db, counted))) break;
    const { t } = languages((await languageAt(store.db, owner)) ?? 'en');
    const { subject, text } = mailOf({ type: 'alerts', timestamp: new Date(now).toISOString(), data: { alerts } }, t);
    if (await send(owner, { subject, text: `${text}\n${link}\n` })) {
      mailed.push(owner);
      failures = 0;
    } else {
      await uncountMail(store.db, counted);
      failures++;
    }
  }
  return mailed;
}
