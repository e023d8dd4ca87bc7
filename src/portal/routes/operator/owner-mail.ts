import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type NumberSummary, selectNumbers } from '../../../accounts/index.ts';
import { mailOwners } from '../../../alerts/index.ts';
import { changesBetween, recordAudit } from '../../../audit/index.ts';
import { brandedMail } from '../../../branding/index.ts';
import { GatewayError, iso } from '../../../core/index.ts';
import type { InnerRequest } from '../../../http/index.ts';
import { selectOwners } from '../../../people/index.ts';
import { linksBegin } from '../../brand-of.ts';
import { endpoint } from '../../endpoint.ts';
import { bulkFields, type Intention, reason } from '../../listing/bulk.ts';
import { numberViews, shortName } from '../../number-views.ts';
import { actOf, administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { accountInReach } from '../../reach.ts';
import type { NumberView } from '../../wire/operator.ts';

const noMailServer = 'There is no mail server (SMTP_URL).';
const body = z.object({ ids: bulkFields.ids });

/** Whether its owners can do something about the number, or should know. */
const isInNeed = ({ standing, restriction }: Pick<NumberView, 'standing' | 'restriction'>): boolean =>
  standing === 'needs_person' || restriction !== null;

/** What a mail to the owners means for each of these numbers: one for each account, which all of them share. */
export async function ownerMails(options: PortalOptions, rows: readonly NumberSummary[]): Promise<ReadonlyMap<string, Intention>> {
  const accounts = Map.groupBy(await numberViews(options, rows, { proxies: false }), ({ account_id }) => account_id);
  const owners = Map.groupBy(await selectOwners(options.store.db, [...accounts.keys()]), ({ account_id }) => account_id);
  return new Map(
    [...accounts].flatMap(([accountId, numbers]) => {
      const mailTo = owners.get(accountId)?.map(({ email }) => email) ?? [];
      const ids = numbers.filter(isInNeed).map(({ instance_id }) => instance_id);
      const mail: InnerRequest = { method: 'POST', url: `/portal/api/operator/accounts/${accountId}/owner-mail`, body: { ids } };
      return numbers.map((number): readonly [string, Intention] => {
        const why = !isInNeed(number)
          ? 'It needs nobody.'
          : mailTo.length === 0
            ? 'Its account has no owner.'
            : options.mail === null
              ? noMailServer
              : null;
        const name = shortName(number);
        return [
          number.instance_id,
          why === null ? { name, work: [mail], mail: { to: mailTo, accountId } } : { name, work: reason('nothing_to_do', why) },
        ];
      });
    }),
  );
}

/** POST /portal/api/operator/accounts/{id}/owner-mail {ids}: notifies its owners by mail which of these numbers need somebody, and why. */
export function ownerMailRoute(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock, languages, mail, brands } = options;
  const onRequest = administers(options, { providerAdmins: true });
  endpoint(server, 'POST /portal/api/operator/accounts/:id/owner-mail', { onRequest, body }, async (request) => {
    const account = await accountInReach(options, request, request.params.id);
    const rows = (await selectNumbers(store.db, request.body.ids, { providerIds: null })).filter(
      ({ account_id }) => account_id === account.id,
    );
    const numbers = (await numberViews(options, rows, { proxies: false })).filter(isInNeed);
    if (numbers.length === 0) throw new GatewayError('conflict', 'None of these numbers needs anybody.');
    if (mail === null) throw new GatewayError('conflict', noMailServer);
    const act = actOf(request, clock.now());
    const brand = await brands.ofProvider(account.provider_id);
    const mailed = await mailOwners(
      { store, languages, now: act.now, send: (to, text) => mail.send(to, brandedMail(text, brand)) },
      {
        accountId: account.id,
        owners: (await selectOwners(store.db, [account.id])).map(({ email }) => email),
        numbers: numbers.map(({ standing, reason, restriction, since, ...number }) => ({
          ...number,
          needsPerson: standing === 'needs_person',
          at: since ?? iso(act.now),
          reason,
          until: restriction?.until ?? null,
        })),
        link: `${linksBegin(options, request, brand)}/numbers?standing=needs_person`,
      },
    );
    if (mailed.length === 0)
      throw new GatewayError('conflict', 'No mail was sent: the mail server took none, or this hour had 60 for the account.');
    const details = changesBetween(null, { mailed_to: mailed.join(', ') }) ?? {};
    await store.transaction(async (trx) => {
      for (const { instance_id } of numbers)
        await recordAudit(trx, act, { action: 'number.notify', targetId: instance_id, accountId: account.id, details });
    });
    return { mailed_to: mailed };
  });
}
