import { afterAll, beforeAll, expect, it } from 'vitest';
import { outcome } from '../contract/outcome.ts';
import { auditOf } from '../support/audit.ts';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { openMailServer, type TestMailServer } from '../support/mail-server.ts';
import { expectOk, memberOf, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';

const path = '/portal/api/operator/numbers/bulk';
let server: TestMailServer;
let gateway: TestGateway;
let boss: SignedIn;
let customer: Customer;
let owner: SignedIn;
let [open, lost, spare]: string[] = [];
beforeAll(async () => {
  server = await openMailServer();
  const env = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'gateway@example.com', PUBLIC_URL: 'https://gateway.example.com' };
  gateway = await startGateway('sqlite', { env });
  boss = await operator(gateway);
  customer = await gateway.customer({ name: 'Bakery' });
  owner = await memberOf(gateway, customer.accountId, 'owner');
  await memberOf(gateway, customer.accountId, 'member');
  open = await customer.linked('491700000091');
  lost = await unlinked('491700000092');
  spare = await unlinked('491700000093');
});
afterAll(async () => {
  await gateway?.stop();
  await server?.stop();
});

async function unlinked(phone: string, by = customer): Promise<string> {
  const id = await by.linked(phone);
  expectOk(await by.call('DELETE', `/v1/instances/${id}?logout_only=true`));
  return id;
}
const notify = async (ids: readonly (string | undefined)[], more = {}, by = boss) =>
  expectOk(await by.call('POST', path, { body: { action: 'notify', ids, ...more } })).body.data.results;

it('says of each number who would get a mail, or why nobody does', async () => {
  const ownerless = await gateway.customer({ name: 'Nobody' });
  const theirs = await unlinked('491700000094', ownerless);
  expect(await notify([open, lost, theirs], { preview: true })).toMatchObject([
    { outcome: 'skipped', reason: { code: 'nothing_to_do', message: 'It needs nobody.' }, mail_to: null, mail_account_id: null },
    { outcome: 'possible', name: '+491700000092', mail_to: [owner.email], mail_account_id: customer.accountId },
    { outcome: 'skipped', reason: { code: 'nothing_to_do', message: 'Its account has no owner.' } },
  ]);
  expect(server.mails).toEqual([]);
});

it('mails each owner once about all numbers of the account, and notes it with each number', async () => {
  const entries = await auditOf(gateway.app.store, async () => {
    expect(await notify([lost, open, spare])).toMatchObject([{ outcome: 'done' }, { outcome: 'skipped' }, { outcome: 'done' }]);
  });
  expect(server.mails).toMatchObject([{ to: owner.email }]);
  const text = server.mails[0]?.source.replace(/=\n/g, '') ?? '';
  for (const number of ['491700000092', '491700000093', 'https://gateway.example.com/numbers']) expect(text).toContain(number);
  expect(text).not.toContain('491700000091');
  const details = { mailed_to: { from: null, to: owner.email } };
  expect(entries).toMatchObject(
    [lost, spare].map((target_id) => ({
      action: 'number.notify',
      target_id,
      actor_id: boss.userId,
      account_id: customer.accountId,
      details,
    })),
  );
});

it('counts with the mails of alerts that the account gets in an hour', async () => {
  const { db } = gateway.app.store;
  await db.updateTable('alert_mails').set({ sent: 60 }).where('owner', '=', customer.accountId).execute();
  expect(await notify([lost])).toMatchObject([{ outcome: 'failed', reason: { code: 'conflict' } }]);
});

it('is for administrators, each of their own accounts', async () => {
  const admin = await providerAdmin(gateway);
  expect(await notify([lost], {}, admin)).toMatchObject([{ outcome: 'skipped', reason: { code: 'not_found' } }]);
  const ownerMail = `/portal/api/operator/accounts/${customer.accountId}/owner-mail`;
  expect(outcome(await admin.call('POST', ownerMail, { body: { ids: [lost] } }))).toBe('404 not_found');
  const asOwner = await owner.call('POST', '/portal/api/numbers/bulk', { body: { action: 'notify', ids: [lost] } });
  expect(asOwner).toMatchObject(refusal(400, 'invalid_request', { field: 'action' }));
});
