import { allKinds } from '../../src/kinds/index.ts';
import { validBodies } from '../contract/valid-bodies.ts';
import type { Objects } from './foreign-world.ts';

/** What a stranger asks an endpoint about somebody else's objects, and what each role is answered. */
export interface Row {
  /** Method and path, as the server knows it. */
  readonly route: string;
  readonly path: string;
  readonly body?: object;
  readonly member: string;
  readonly owner: string;
  readonly admin: string;
  /** It streams: only who is refused is looked at here. */
  readonly streams?: true;
}

type Asked = readonly [route: string, path?: string, body?: object];

const row = ([route, path, body]: Asked, member: string, owner: string, admin: string): Row => ({
  route,
  path: path ?? route.slice(route.indexOf(' ') + 1),
  ...(body === undefined ? {} : { body }),
  member,
  owner,
  admin,
});
const ofAccount = (said: string, ...asked: Asked) => row(asked, said, said, said);
const ofOwners = (said: string, ...asked: Asked) => row(asked, '403 forbidden', said, said);
const ofAdmins = (said: string, ...asked: Asked) => row(asked, '403 forbidden', '403 forbidden', said);
const ofOperators = (...asked: Asked) => row(asked, '403 forbidden', '403 forbidden', '403 forbidden');

const noInstance = '404 instance_not_found';
const notFound = '404 not_found';

/** One line for each endpoint that takes a session, and for each way of naming a foreign object to it. The askers act for `own`. */
export function foreignTable(of: Objects, own: Objects, link: string): readonly Row[] {
  return [
    ofAccount('200', 'GET /v1/instances'),
    ofAccount('200', 'POST /v1/instances', '/v1/instances', { instance_id: of.instanceId, account_id: of.accountId }),
    ofAccount(noInstance, 'GET /v1/instances/:id/status', `/v1/instances/${of.instanceId}/status`),
    ofAccount(noInstance, 'GET /v1/instances/:id/qr', `/v1/instances/${of.instanceId}/qr`),
    ofAccount(noInstance, 'GET /v1/instances/:id/qr-status', `/v1/instances/${of.instanceId}/qr-status`),
    ofAccount(noInstance, 'GET /v1/instances/:id/passkey', `/v1/instances/${of.instanceId}/passkey`),
    ofAccount(noInstance, 'POST /v1/instances/:id/passkey', `/v1/instances/${of.instanceId}/passkey`, { credential: {} }),
    ofAccount(noInstance, 'POST /v1/instances/:id/passkey/confirm', `/v1/instances/${of.instanceId}/passkey/confirm`, {}),
    ofAccount(noInstance, 'PATCH /v1/instances/:id', `/v1/instances/${of.instanceId}`, { label: 'taken' }),
    ofAccount(noInstance, 'DELETE /v1/instances/:id', `/v1/instances/${of.instanceId}`),
    ofAccount(noInstance, 'DELETE /v1/instances/:id', `/v1/instances/${of.instanceId}?logout_only=true`),
    ofAccount('400 invalid_request', 'POST /sandbox/scan', '/sandbox/scan', { code: of.openCode, phone_number: '491710000999' }),
    ofAccount(noInstance, 'POST /sandbox/unlink', '/sandbox/unlink', { phone_number: of.phone }),
    ofAccount('200', 'GET /sandbox/messages', `/sandbox/messages?to=${of.contact}`),

    ofAccount('200', 'GET /portal/api/session'),
    ofAccount('200', 'GET /portal/api/start', `/portal/api/start?home=true&account_id=${of.accountId}`),
    ofAccount('200', 'PUT /portal/api/language', '/portal/api/language', { language: 'en' }),
    ofAccount('200', 'GET /portal/api/home', `/portal/api/home?account_id=${of.accountId}`),
    ofAccount('200', 'GET /portal/api/account', `/portal/api/account?account_id=${of.accountId}`),
    ofAccount('200', 'GET /portal/api/first-steps'),
    ofAccount('200', 'GET /portal/api/kinds'),
    ofAccount('200', 'GET /portal/api/keys', `/portal/api/keys?account_id=${of.accountId}`),
    ofAccount('200', 'GET /portal/api/keys', `/portal/api/keys?search=${of.keyPrefix}`),
    ofAccount('200', 'GET /portal/api/keys/ids'),
    ofAccount('200', 'GET /portal/api/keys.csv'),
    ofAccount('200', 'POST /portal/api/keys/bulk', '/portal/api/keys/bulk', { action: 'revoke', ids: [of.keyId] }),
    ofAccount('200', 'GET /portal/api/numbers'),
    ofAccount('200', 'GET /portal/api/numbers', `/portal/api/numbers?search=${of.instanceId}`),
    ofAccount('200', 'GET /portal/api/numbers/ids', `/portal/api/numbers/ids?search=${of.phone}`),
    ofAccount('200', 'GET /portal/api/numbers.csv'),
    ...(['disconnect', 'delete'] as const).map((action) =>
      ofAccount('200', 'POST /portal/api/numbers/bulk', '/portal/api/numbers/bulk', { action, ids: [of.instanceId] }),
    ),
    ofOwners(noInstance, 'POST /portal/api/numbers/:id/scan-link', `/portal/api/numbers/${of.instanceId}/scan-link`),
    ofAccount('200', 'POST /portal/api/keys', '/portal/api/keys', { label: 'mine', account_id: of.accountId }),
    ofAccount(notFound, 'GET /portal/api/keys/:id', `/portal/api/keys/${of.keyId}`),
    ofAccount(notFound, 'DELETE /portal/api/keys/:id', `/portal/api/keys/${of.keyId}`),
    ofAccount('200', 'GET /portal/api/usage'),
    ofAccount('200', 'GET /portal/api/usage.csv'),
    ofAccount('200', 'GET /portal/api/activity', `/portal/api/activity?instance_id=${of.instanceId}`),
    ofAccount('200', 'GET /portal/api/activity', `/portal/api/activity?recipient=${of.contact}`),
    ofAccount('200', 'GET /portal/api/activity', `/portal/api/activity?key_id=${of.keyId}`),
    ...[
      of.requestId,
      of.messageId,
      of.instanceId,
      of.accountId,
      of.contact,
      of.phone,
      of.label,
      of.accountName,
      of.keyPrefix,
      of.ownerEmail,
    ].map((name) => ofAccount('200', 'GET /portal/api/search', `/portal/api/search?q=${encodeURIComponent(name)}`)),
    ofAccount('200', 'GET /portal/api/search', `/portal/api/search?q=${of.providerId}`),
    ofAccount(notFound, 'GET /portal/api/requests/:id', `/portal/api/requests/${of.requestId}`),
    ofAccount(noInstance, 'GET /portal/api/pairings/:id', `/portal/api/pairings/${of.instanceId}`),
    ofAccount(noInstance, 'GET /portal/api/numbers/:id', `/portal/api/numbers/${of.instanceId}`),
    ofOwners(noInstance, 'PATCH /portal/api/numbers/:id', `/portal/api/numbers/${of.instanceId}`, { chat_budget: { per_day: 1 } }),
    ofAccount('200', 'GET /portal/api/sandbox/contacts'),
    ofAccount('200', 'GET /portal/api/sandbox/phones'),
    ofAccount('200', 'GET /portal/api/sandbox/chats/:digits', `/portal/api/sandbox/chats/${of.contact}`),
    ofAccount(notFound, 'GET /portal/api/sandbox/files/:sha256', `/portal/api/sandbox/files/${of.sha256}`),
    ...allKinds.map(({ type }) =>
      ofAccount(noInstance, `POST /portal/api/messages/${type}`, `/portal/api/messages/${type}`, {
        instance_id: of.instanceId,
        to: of.contact,
        ...validBodies(link)[type],
      }),
    ),
    ofAccount(noInstance, 'POST /portal/api/numbers/check', '/portal/api/numbers/check', {
      instance_id: of.instanceId,
      numbers: [of.contact],
    }),
    { ...ofAccount('200', 'GET /portal/api/events'), streams: true },

    ofAccount('200', 'GET /portal/api/browsers', `/portal/api/browsers?user_id=${of.ownerId}`),
    ofAccount(notFound, 'DELETE /portal/api/browsers/:id', `/portal/api/browsers/${of.sessionId}`),
    ofAccount('200', 'DELETE /portal/api/browsers/others'),
    ofAccount('400 invalid_request', 'POST /portal/auth/change-password', '/portal/auth/change-password', { userId: of.ownerId }),
    ofAccount('400 invalid_request', 'POST /portal/auth/change-name', '/portal/auth/change-name', { userId: of.ownerId }),
    ofAccount('400 invalid_request', 'POST /portal/auth/two-factor/enable', '/portal/auth/two-factor/enable', { userId: of.ownerId }),
    ofAccount('400 invalid_request', 'POST /portal/auth/two-factor/disable', '/portal/auth/two-factor/disable', { userId: of.ownerId }),
    ofAccount('400 invalid_request', 'POST /portal/auth/two-factor/backup-codes', '/portal/auth/two-factor/backup-codes', {
      userId: of.ownerId,
    }),

    ofOwners('200', 'GET /portal/api/members'),
    ofOwners('200', 'POST /portal/api/members', '/portal/api/members', {
      email: 'guest@example.com',
      role: 'member',
      account_id: of.accountId,
    }),
    ofOwners(notFound, 'GET /portal/api/members/:id', `/portal/api/members/${of.ownerId}`),
    ofOwners(notFound, 'GET /portal/api/members/:id', `/portal/api/members/${of.adminId}`),
    ofOwners(notFound, 'GET /portal/api/members/invitations/:id', `/portal/api/members/invitations/${of.invitationId}`),
    ofOwners(notFound, 'GET /portal/api/members/invitations/:id', `/portal/api/members/invitations/${of.adminInvitationId}`),
    ofOwners(notFound, 'DELETE /portal/api/members/invitations/:id', `/portal/api/members/invitations/${of.invitationId}`),
    ofOwners(notFound, 'POST /portal/api/members/invitations/:id/resend', `/portal/api/members/invitations/${of.invitationId}/resend`, {}),
    ofOwners(notFound, 'PATCH /portal/api/members/:id', `/portal/api/members/${of.ownerId}`, { role: 'member' }),
    ofOwners(notFound, 'DELETE /portal/api/members/:id', `/portal/api/members/${of.ownerId}`),
    ofOwners('200', 'GET /portal/api/account/former', `/portal/api/account/former?account_id=${of.accountId}`),
    ofOwners(notFound, 'POST /portal/api/account/former', '/portal/api/account/former', {
      kind: 'alert',
      id: of.alertTargetId,
      keep: false,
    }),
    ofOwners('200', 'GET /portal/api/audit', `/portal/api/audit?account_id=${of.accountId}`),
    ofOwners('200', 'GET /portal/api/alerts', `/portal/api/alerts?account_id=${of.accountId}`),
    ofOwners('200', 'GET /portal/api/alerts/problems', `/portal/api/alerts/problems?account_id=${of.accountId}`),
    ofOwners('200', 'POST /portal/api/alerts', '/portal/api/alerts', {
      kind: 'webhook',
      address: link,
      account_id: of.accountId,
      provider_id: of.providerId,
    }),
    ...alertRows(ofOwners, '/portal/api/alerts', of.alertTargetId, of.alertDeliveryId),
    ...alertRows(ofOwners, '/portal/api/alerts', of.providerTargetId, of.providerDeliveryId),

    ofOwners('200', 'GET /portal/api/audit/ids'),
    ofOwners('200', 'GET /portal/api/audit.csv'),
    ofAdmins('200', 'GET /portal/api/operator/alerts', `/portal/api/operator/alerts?provider_id=${of.providerId}`),
    ofAdmins('200', 'GET /portal/api/operator/alerts/problems', `/portal/api/operator/alerts/problems?provider_id=${of.providerId}`),
    ofAdmins(notFound, 'POST /portal/api/operator/alerts', '/portal/api/operator/alerts', {
      kind: 'webhook',
      address: link,
      provider_id: of.providerId,
    }),
    ofAdmins('403 forbidden', 'POST /portal/api/operator/alerts', '/portal/api/operator/alerts', {
      kind: 'webhook',
      address: link,
    }),
    ...alertRows(ofAdmins, '/portal/api/operator/alerts', of.providerTargetId, of.providerDeliveryId),
    ...alertRows(ofAdmins, '/portal/api/operator/alerts', own.alertTargetId, own.alertDeliveryId),
    ofAdmins('200', 'GET /portal/api/operator/accounts'),
    ofAdmins('200', 'GET /portal/api/operator/accounts/ids'),
    ofAdmins(notFound, 'GET /portal/api/operator/accounts/ids', `/portal/api/operator/accounts/ids?provider_id=${of.providerId}`),
    ofAdmins('200', 'GET /portal/api/operator/accounts.csv'),
    ofAdmins('200', 'GET /portal/api/operator/accounts.csv', `/portal/api/operator/accounts.csv?search=${of.accountId}`),
    ...[
      { action: 'suspend' },
      { action: 'resume' },
      { action: 'plan', plan: null },
      { action: 'extend', days: 1 },
      { action: 'restore', terms: { [of.accountId]: { plan: null, plan_ends_at: null, access_ends_at: null } } },
      { action: 'invite', email: 'bulk@example.com', role: 'owner' },
    ].map((wanted) =>
      ofAdmins('200', 'POST /portal/api/operator/accounts/bulk', '/portal/api/operator/accounts/bulk', { ...wanted, ids: [of.accountId] }),
    ),
    ofAdmins('200', 'GET /portal/api/operator/accounts', `/portal/api/operator/accounts?search=${of.accountId}`),
    ofAdmins(notFound, 'GET /portal/api/operator/accounts', `/portal/api/operator/accounts?provider_id=${of.providerId}`),
    ofAdmins(notFound, 'GET /portal/api/operator/accounts/:id', `/portal/api/operator/accounts/${of.accountId}`),
    ofAdmins('403 forbidden', 'POST /portal/api/operator/accounts', '/portal/api/operator/accounts', {
      name: 'x',
      provider_id: of.providerId,
    }),
    ofAdmins('403 forbidden', 'POST /portal/api/operator/accounts', '/portal/api/operator/accounts', {
      name: 'x',
      operator: true,
      free_slots: 9,
    }),
    ofAdmins(notFound, 'PATCH /portal/api/operator/accounts/:id', `/portal/api/operator/accounts/${of.accountId}`, { status: 'suspended' }),
    ofAdmins('403 forbidden', 'PATCH /portal/api/operator/accounts/:id', `/portal/api/operator/accounts/${own.accountId}`, {
      provider_id: of.providerId,
    }),
    ofAdmins(notFound, 'POST /portal/api/operator/accounts/:id/owner-mail', `/portal/api/operator/accounts/${of.accountId}/owner-mail`, {
      ids: [of.instanceId],
    }),
    ofAdmins(notFound, 'GET /portal/api/operator/accounts/:id/note', `/portal/api/operator/accounts/${of.accountId}/note`),
    ofAdmins(notFound, 'PUT /portal/api/operator/accounts/:id/note', `/portal/api/operator/accounts/${of.accountId}/note`, { text: 'x' }),
    ofAdmins('200', 'GET /portal/api/operator/accounts/import.csv'),
    ofAdmins('403 forbidden', 'POST /portal/api/operator/accounts/import', '/portal/api/operator/accounts/import', {
      csv: 'name\nx',
      provider_id: of.providerId,
      check: true,
    }),
    ofAdmins('200', 'GET /portal/api/operator/usage', `/portal/api/operator/usage?search=${of.accountId}`),
    ofAdmins(notFound, 'GET /portal/api/operator/usage', `/portal/api/operator/usage?provider_id=${of.providerId}`),
    ofAdmins(notFound, 'GET /portal/api/operator/usage.csv', `/portal/api/operator/usage.csv?provider_id=${of.providerId}`),
    ofAdmins(
      notFound,
      'POST /portal/api/operator/invitations/:id/resend',
      `/portal/api/operator/invitations/${of.invitationId}/resend`,
      {},
    ),
    ofAdmins('200', 'GET /portal/api/operator/plans'),
    ofAdmins('200', 'GET /portal/api/operator/users'),
    ofAdmins(notFound, 'GET /portal/api/operator/users/:id', `/portal/api/operator/users/${of.ownerId}`),
    ofAdmins(notFound, 'GET /portal/api/operator/users/:id', `/portal/api/operator/users/${of.adminId}`),
    ofAdmins('200', 'GET /portal/api/operator/users/ids'),
    ofAdmins('200', 'GET /portal/api/operator/users.csv'),
    ofAdmins('200', 'POST /portal/api/operator/users/bulk', '/portal/api/operator/users/bulk', {
      action: 'remove_roles',
      ids: [of.ownerId],
    }),
    ofAdmins('200', 'GET /portal/api/operator/invitations'),
    ofAdmins(notFound, 'GET /portal/api/operator/invitations/:id', `/portal/api/operator/invitations/${of.invitationId}`),
    ofAdmins(notFound, 'GET /portal/api/operator/invitations/:id', `/portal/api/operator/invitations/${of.adminInvitationId}`),
    ofAdmins('200', 'GET /portal/api/operator/invitations/ids'),
    ofAdmins('200', 'GET /portal/api/operator/invitations.csv'),
    ofAdmins('200', 'GET /portal/api/operator/users', `/portal/api/operator/users?search=${encodeURIComponent(of.ownerEmail)}`),
    ofAdmins(notFound, 'POST /portal/api/operator/users/:id/password-reset', `/portal/api/operator/users/${of.ownerId}/password-reset`, {}),
    ofAdmins(notFound, 'POST /portal/api/operator/users/:id/password-reset', `/portal/api/operator/users/${of.adminId}/password-reset`, {}),
    ofAdmins(notFound, 'DELETE /portal/api/operator/users/:id/memberships', `/portal/api/operator/users/${of.ownerId}/memberships`, {
      role: 'owner',
      account_id: of.accountId,
    }),
    ofAdmins(notFound, 'DELETE /portal/api/operator/users/:id/memberships', `/portal/api/operator/users/${own.ownerId}/memberships`, {
      role: 'owner',
      account_id: of.accountId,
    }),
    ofAdmins(notFound, 'POST /portal/api/operator/invitations', '/portal/api/operator/invitations', {
      email: 'guest@example.com',
      role: 'owner',
      account_id: of.accountId,
    }),
    ofAdmins(notFound, 'POST /portal/api/operator/invitations', '/portal/api/operator/invitations', {
      email: 'guest@example.com',
      role: 'provider_admin',
      provider_id: of.providerId,
    }),
    ofAdmins('403 forbidden', 'POST /portal/api/operator/invitations', '/portal/api/operator/invitations', {
      email: 'guest@example.com',
      role: 'operator',
    }),
    ofAdmins(notFound, 'DELETE /portal/api/operator/invitations/:id', `/portal/api/operator/invitations/${of.invitationId}`),
    ofAdmins(notFound, 'DELETE /portal/api/operator/invitations/:id', `/portal/api/operator/invitations/${of.adminInvitationId}`),
    ofAdmins('200', 'GET /portal/api/operator/numbers', `/portal/api/operator/numbers?search=${of.phone}`),
    ofAdmins('200', 'GET /portal/api/operator/numbers'),
    ofAdmins(notFound, 'GET /portal/api/operator/numbers', `/portal/api/operator/numbers?account_id=${of.accountId}`),
    ofAdmins(notFound, 'GET /portal/api/operator/numbers', `/portal/api/operator/numbers?provider_id=${of.providerId}`),
    ofAdmins('200', 'GET /portal/api/operator/numbers/ids', `/portal/api/operator/numbers/ids?search=${of.phone}`),
    ofAdmins('200', 'GET /portal/api/operator/numbers.csv'),
    ofAdmins(notFound, 'GET /portal/api/operator/numbers.csv', `/portal/api/operator/numbers.csv?account_id=${of.accountId}`),
    ...(['disconnect', 'delete', 'notify'] as const).map((action) =>
      ofAdmins('200', 'POST /portal/api/operator/numbers/bulk', '/portal/api/operator/numbers/bulk', { action, ids: [of.instanceId] }),
    ),
    ofAdmins(notFound, 'GET /portal/api/operator/numbers/:id', `/portal/api/operator/numbers/${of.instanceId}`),
    ofAdmins('200', 'GET /portal/api/operator/audit'),
    ofAdmins('200', 'GET /portal/api/operator/audit', `/portal/api/operator/audit?actor=${encodeURIComponent(of.ownerEmail)}`),
    ofAdmins('200', 'GET /portal/api/operator/audit/ids'),
    ofAdmins('200', 'GET /portal/api/operator/audit.csv'),
    ofAdmins(notFound, 'GET /portal/api/operator/audit', `/portal/api/operator/audit?account_id=${of.accountId}`),

    ofAdmins('200', 'GET /portal/api/operator/providers'),
    ofAdmins('200', 'GET /portal/api/operator/providers/ids'),
    ofAdmins('200', 'GET /portal/api/operator/providers.csv'),
    ofAdmins(notFound, 'GET /portal/api/operator/providers/:id', `/portal/api/operator/providers/${of.providerId}`),
    ofAdmins(notFound, 'GET /portal/api/operator/providers/:id/brand', `/portal/api/operator/providers/${of.providerId}/brand`),
    ofAdmins(notFound, 'PATCH /portal/api/operator/providers/:id/brand', `/portal/api/operator/providers/${of.providerId}/brand`, {
      name: 'x',
    }),
    ofAdmins(notFound, 'PUT /portal/api/operator/providers/:id/brand/logo', `/portal/api/operator/providers/${of.providerId}/brand/logo`, {
      picture: 'aaaa',
    }),
    ofAdmins(
      notFound,
      'DELETE /portal/api/operator/providers/:id/brand/logo',
      `/portal/api/operator/providers/${of.providerId}/brand/logo`,
    ),
    ofOperators('POST /portal/api/operator/providers', '/portal/api/operator/providers', { name: 'mine' }),
    ofAdmins(notFound, 'PATCH /portal/api/operator/providers/:id', `/portal/api/operator/providers/${of.providerId}`, {
      default_plan: null,
    }),
    ofOperators('PATCH /portal/api/operator/providers/:id', `/portal/api/operator/providers/${own.providerId}`, { number_capacity: null }),
    ofOperators('POST /portal/api/operator/plans', '/portal/api/operator/plans', {
      name: 'mine',
      messages_per_minute: 1,
      instance_limit: 1,
    }),
    ofOperators('PATCH /portal/api/operator/plans/:id', `/portal/api/operator/plans/${of.planId}`, { instance_limit: 0 }),
    ofOperators('PATCH /portal/api/operator/numbers/:id', `/portal/api/operator/numbers/${of.instanceId}`, { proxy: null }),
    ofOperators('PATCH /portal/api/operator/numbers/:id', `/portal/api/operator/numbers/${own.instanceId}`, { proxy: null }),
    ofOperators(
      'POST /portal/api/operator/numbers/import',
      `/portal/api/operator/numbers/import?kind=baileys&account_id=${own.accountId}&file_name=sessions.zip&check=true`,
    ),
    ofOperators('GET /portal/api/operator/health'),
    ofOperators('GET /portal/api/operator/first-steps'),
  ];
}

/** The endpoints of one alert target that is out of reach. */
function alertRows(asked: typeof ofOwners, at: string, targetId: string, deliveryId: string): Row[] {
  const path = `${at}/${targetId}`;
  return [
    asked(notFound, `PATCH ${at}/:id`, path, { conditions: ['access_ending'] }),
    asked(notFound, `DELETE ${at}/:id`, path),
    asked(notFound, `POST ${at}/:id/secret`, `${path}/secret`),
    asked(notFound, `POST ${at}/:id/test`, `${path}/test`),
    asked(notFound, `GET ${at}/:id/deliveries`, `${path}/deliveries`),
    asked(notFound, `GET ${at}/:id/deliveries/:deliveryId`, `${path}/deliveries/${deliveryId}`),
    asked(notFound, `POST ${at}/:id/deliveries/:deliveryId/resend`, `${path}/deliveries/${deliveryId}/resend`),
  ];
}

/** Every other route, with why it has no line above. */
export const withoutSession: readonly (readonly [why: string, routes: RegExp])[] = [
  ['takes a key; each tool is a request to the endpoint that it names', /^(GET|POST|DELETE) \/mcp$/],
  ['takes keys alone', /^POST \/v1\/(messages\/\w+|numbers\/check)$/],
  ['the same for everybody', /^GET \/(health(\/ready)?|openapi\.json|docs.*|samples\/:name)$/],
  ['a page that says that there is no such page', /^GET \/\*$/],
  [
    'a page: the same document for everybody',
    /^GET \/(sign-in|link\/:token|passkey|numbers(\/:instanceId)?|keys(\/:keyId)?|send|activity(\/:requestId)?|usage|alerts(\/:targetId)?|sandbox-phone|account(\/members\/:userId|\/invitations\/:invitationId)?)?$/,
  ],
  [
    'a page: the same document for everybody',
    /^GET \/operator\/(accounts(\/:accountId(\/keys\/:keyId)?)?|providers(\/:providerId(\/brand)?)?|plans|users(\/:userId|\/invitations(\/:invitationId)?)?|numbers(\/:instanceId|\/import)?|alerts(\/:targetId)?|health|usage|audit)$/,
  ],
  ['a file of the pages', /^((GET|HEAD) \/assets\/.+|GET \/portal\/passkey-extension\.zip)$/],
  ['comes before a sign-in', /^POST \/portal\/auth\/(sign-in|sign-out|two-factor\/verify-(totp|backup-code))$/],
  ['the same for everybody at a host', /^GET \/portal\/(api\/brand|brand\/:file)$/],
  ['answers nulls to strangers, which docs-examples.test.ts shows', /^GET \/portal\/api\/docs-examples$/],
  ['asks for a token that cannot be guessed', /^(GET|POST) \/portal\/api\/links\/:token(\/confirm|\/instances\/:id\/qr(-status)?)?$/],
];
