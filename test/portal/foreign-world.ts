import { createPlan, everyNumber, updateAccount } from '../../src/accounts/index.ts';
import { newId } from '../../src/core/index.ts';
import { invite } from '../../src/people/index.ts';
import { at } from '../support/act.ts';
import { type FileServer, someBytes } from '../support/file-server.ts';
import type { TestGateway } from '../support/gateway.ts';
import { expectOk, memberOf, personAt, providerAdmin, type SignedIn } from '../support/portal.ts';

/** What belongs to an account and its provider, by the names that requests and answers know it under. */
export interface Objects {
  readonly accountId: string;
  readonly accountName: string;
  readonly providerId: string;
  readonly planId: string;
  readonly planName: string;
  readonly instanceId: string;
  readonly label: string;
  /** Of the linked instance. */
  readonly phone: string;
  /** Of the other instance, which shows a QR. */
  readonly openCode: string;
  readonly contact: string;
  readonly sha256: string;
  readonly text: string;
  readonly messageId: string;
  readonly requestId: string;
  readonly keyId: string;
  readonly keyPrefix: string;
  readonly ownerId: string;
  readonly ownerEmail: string;
  readonly sessionId: string;
  readonly invitationId: string;
  readonly invitedEmail: string;
  readonly adminId: string;
  readonly adminEmail: string;
  readonly adminInvitationId: string;
  /** Who is told of the account's alerts, with a delivery to them. */
  readonly alertTargetId: string;
  readonly alertDeliveryId: string;
  readonly alertAddress: string;
  /** Who is told of the provider's. */
  readonly providerTargetId: string;
  readonly providerDeliveryId: string;
}

/** An account of a provider of its own, with everything that an account can have. `name` is in all its texts. */
export async function makeObjects(gateway: TestGateway, files: FileServer, name: string, digit: number) {
  const { store } = gateway.app;
  const now = () => at(gateway.clock.now());
  const plan = await createPlan(store, { name: `${name} plan`, messagesPerMinute: 1000, instanceLimit: 10 }, now());
  const admin = await providerAdmin(gateway);
  const customer = await gateway.customer({ name: `${name} account`, plan: plan.name });
  await updateAccount(store, customer.accountId, { providerId: admin.providerId }, now());
  const owner = await memberOf(gateway, customer.accountId, 'owner');

  const phone = `49171000090${digit}`;
  const instanceId = await customer.linked(phone);
  expectOk(await customer.call('PATCH', `/v1/instances/${instanceId}`, { label: `${name} number` }));
  const open = expectOk(await customer.call('POST', '/v1/instances', { label: `${name} open number` }));
  const contact = `49170123450${digit}`;
  const text = `${name} words`;
  const sent = expectOk(await customer.send('text', { instance_id: instanceId, to: contact, text }));
  const bytes = Buffer.concat([someBytes, Buffer.from(name)]);
  const url = files.serve(`/${name}`, { bytes, headers: { 'content-type': 'application/pdf' } });
  expectOk(await customer.send('document', { instance_id: instanceId, to: contact, url }));
  const [, document] = await customer.received(contact);

  const [key] = expectOk(await owner.call('GET', '/portal/api/keys')).body.data.rows;
  const [browser] = expectOk(await owner.call('GET', '/portal/api/browsers')).body.data.browsers;
  const invitedEmail = `${name}-invited@example.com`;
  const member = { role: 'member', providerId: null, accountId: customer.accountId } as const;
  const provider = { role: 'provider_admin', providerId: admin.providerId, accountId: null } as const;
  const alertAddress = files.serve(`/${name}-alerts`);
  const told = (by: SignedIn, path: string, body: object) =>
    targetWithDelivery(by, path, { kind: 'webhook', address: alertAddress, ...body });
  const ofAccount = await told(owner, '/portal/api/alerts', {});
  const ofProvider = await told(admin, '/portal/api/operator/alerts', { provider_id: admin.providerId });
  const objects: Objects = {
    alertTargetId: ofAccount.targetId,
    alertDeliveryId: ofAccount.deliveryId,
    alertAddress,
    providerTargetId: ofProvider.targetId,
    providerDeliveryId: ofProvider.deliveryId,
    accountId: customer.accountId,
    accountName: `${name} account`,
    providerId: admin.providerId,
    planId: plan.id,
    planName: plan.name,
    instanceId,
    label: `${name} number`,
    phone,
    openCode: open.body.data.qrcode.code,
    contact,
    sha256: document.content.sha256,
    text,
    messageId: sent.body.data.message_id,
    requestId: sent.body.request_id,
    keyId: key.key_id,
    keyPrefix: key.prefix,
    ownerId: owner.userId,
    ownerEmail: owner.email,
    sessionId: browser.session_id,
    invitationId: (await invite(store, invitedEmail, member, now())).id,
    invitedEmail,
    adminId: admin.userId,
    adminEmail: admin.email,
    adminInvitationId: (await invite(store, `${name}-invited-admin@example.com`, provider, now())).id,
  };
  return { objects, customer, owner, admin };
}

/** Somebody who is told of alerts and was sent a test. */
async function targetWithDelivery(by: SignedIn, path: string, body: object) {
  const { target_id: targetId } = expectOk(await by.call('POST', path, { body })).body.data;
  const { delivery_id: deliveryId } = expectOk(await by.call('POST', `${path}/${targetId}/test`)).body.data;
  return { targetId, deliveryId };
}

/** The same names for what there is not, in the same shapes. */
export function nothing(like: Objects): Objects {
  const digits = like.contact.replace(/\d{3}$/, '777');
  return {
    ...(Object.fromEntries(Object.keys(like).map((name) => [name, newId()])) as unknown as Objects),
    phone: digits.replace('49170', '49171'),
    contact: digits,
    sha256: 'f'.repeat(64),
    openCode: `${like.openCode.slice(0, -4)}none`,
    keyPrefix: 'mgw_nonenone',
    ownerEmail: 'none@example.com',
    invitedEmail: 'nobody@example.com',
    adminEmail: 'no-admin@example.com',
  };
}

/** People who have nothing to do with the foreign account. */
export interface Strangers {
  readonly member: SignedIn;
  readonly owner: SignedIn;
  readonly admin: SignedIn;
}

export async function makeStrangers(gateway: TestGateway, own: Awaited<ReturnType<typeof makeObjects>>): Promise<Strangers> {
  own.admin.account = own.objects.accountId;
  return { member: await personAt(gateway, { role: 'member', accountId: own.objects.accountId }), owner: own.owner, admin: own.admin };
}

/** All that the store holds of the account, its provider and its people, and what belongs to all alike: whatever changes shows. */
export async function everythingOf({ app: { store } }: TestGateway, { accountId, providerId, ownerId, adminId }: Objects): Promise<string> {
  const { db } = store;
  const ofAccount = [
    'alert_targets',
    'instances',
    'api_keys',
    'memberships',
    'one_time_links',
    'sandbox_messages',
    'sandbox_devices',
  ] as const;
  const ofProvider = ['alert_targets', 'memberships', 'one_time_links'] as const;
  const people = [ownerId, adminId];
  const rows = [
    ...(await Promise.all(ofAccount.map((table) => db.selectFrom(table).selectAll().where('account_id', '=', accountId).execute()))),
    ...(await Promise.all(ofProvider.map((table) => db.selectFrom(table).selectAll().where('provider_id', '=', providerId).execute()))),
    await db.selectFrom('accounts').selectAll().where('id', '=', accountId).execute(),
    await db.selectFrom('providers').selectAll().execute(),
    await db.selectFrom('plans').selectAll().execute(),
    await db.selectFrom('users').selectAll().where('id', 'in', people).execute(),
    await db.selectFrom('user_sessions').selectAll().where('user_id', 'in', people).execute(),
    await everyNumber(store, { providerIds: [providerId], now: 0 }),
  ];
  return rows.map((row) => JSON.stringify(row)).join('\n');
}
