import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { outcome } from '../contract/outcome.ts';
import { auditOf } from '../support/audit.ts';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { openMailServer, type TestMailServer } from '../support/mail-server.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf, openBrowser, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { anyStore } from '../support/run-options.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const own = '/portal/api/alerts';
const all = '/portal/api/operator/alerts';

describe('alerts in the portal', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  let receiver: WebhookReceiver;
  let mails: TestMailServer;
  let boss: SignedIn;
  let admin: SignedIn & { providerId: string };
  let customer: Customer;
  let owner: SignedIn;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    mails = await openMailServer({ tls: 'none' });
    gateway = await startGateway(anyStore, {
      env: {
        MEDIA_ALLOW_HOSTS: receiver.allowed,
        SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
        MAIL_FROM: 'gateway@example.com',
        PUBLIC_URL: 'https://gateway.example',
      },
      overrides: { clock },
    });
    boss = await operator(gateway);
    admin = await providerAdmin(gateway);
    customer = await gateway.customer({ name: 'Theirs', providerId: admin.providerId });
    owner = await memberOf(gateway, customer.accountId, 'owner');
  });
  afterAll(async () => {
    await gateway.stop();
    await receiver.close();
    await mails.stop();
  });
  // Budgets per minute go with the clock.
  beforeEach(() => clock.advance(60_000));

  const create = async (by: SignedIn, path: string, body: object = {}) => {
    const { data } = expectOk(await by.call('POST', path, { body: { kind: 'webhook', address: receiver.url, ...body } })).body;
    if (data.secret !== null) gateway.secrets.add('the secret of a webhook', data.secret);
    return data;
  };
  const targets = async (by: SignedIn, path: string) => expectOk(await by.call('GET', path)).body.data.targets;
  const deliveries = async (id: string) => expectOk(await owner.call('GET', `${own}/${id}/deliveries`)).body.data.deliveries;
  /** Waits for one more post, for which the time passes. */
  const posted = async (work: () => Promise<unknown>) => {
    const before = receiver.posts.length;
    await work();
    return waitFor(() => {
      clock.advance(5_000);
      const post = receiver.posts[before];
      if (post === undefined) throw new Error('nothing came');
      return post;
    });
  };
  const signatures = ({ headers }: { headers: NodeJS.Dict<string | string[]> }) => String(headers['webhook-signature']).split(' ');

  it('a webhook is added with its secret, tested, changed and removed by an owner, and each change is in the audit log', async () => {
    let target = { target_id: '', secret: '' };
    const added = await auditOf(gateway.app.store, async () => {
      target = await create(owner, own);
    });
    expect(added).toMatchObject([
      { action: 'alert.create', account_id: customer.accountId, details: { address: { from: null, to: new URL(receiver.url).origin } } },
    ]);
    const path = `${own}/${target.target_id}`;
    expect(JSON.stringify(await targets(owner, own))).not.toContain('whsec_');

    const post = await posted(async () => expectOk(await owner.call('POST', `${path}/test`)));
    const at = new Date(Number(post.headers['webhook-timestamp']) * 1000);
    expect(signatures(post)).toEqual([new Webhook(target.secret).sign(String(post.headers['webhook-id']), at, post.body)]);
    const [delivery] = await waitFor(async () => {
      const rows = await deliveries(target.target_id);
      expect(rows[0].state).toBe('delivered');
      return rows;
    });
    expect(delivery).toMatchObject({ type: 'test', attempts: 1, outcome: 'answered 204', bytes: post.body.length, alerts: 0, told: [] });
    expect((await targets(owner, own))[0].last_delivery).toEqual({ state: 'delivered', at: delivery.at, outcome: 'answered 204' });
    await posted(async () => expectOk(await owner.call('POST', `${path}/deliveries/${delivery.delivery_id}/resend`)));
    expect(outcome(await owner.call('POST', `${path}/deliveries/${target.target_id}/resend`))).toBe('404 not_found');

    const change = { conditions: ['access_ending'], quiet_from: '22:00', quiet_to: '07:00', time_zone: 'Europe/Berlin' };
    const changed = await auditOf(gateway.app.store, async () => {
      expect(expectOk(await owner.call('PATCH', path, { body: change })).body.data).toMatchObject(change);
    });
    expect(changed).toMatchObject([
      {
        action: 'alert.update',
        details: { conditions: { to: 'access_ending' }, quiet_hours: { from: null, to: '22:00-07:00 Europe/Berlin' } },
      },
    ]);
    expect(await auditOf(gateway.app.store, async () => expectOk(await owner.call('PATCH', path, { body: change })))).toEqual([]);
    const none = { quiet_from: null, quiet_to: null, time_zone: null };
    expect(expectOk(await owner.call('PATCH', path, { body: none })).body.data).toMatchObject({ ...none, conditions: ['access_ending'] });

    const replaced = await auditOf(gateway.app.store, async () => {
      const { secret } = expectOk(await owner.call('POST', `${path}/secret`)).body.data;
      gateway.secrets.add('the secret of a webhook', secret);
      expect(secret).not.toBe(target.secret);
    });
    expect(replaced).toMatchObject([{ action: 'alert.secret' }]);
    expect(signatures(await posted(async () => expectOk(await owner.call('POST', `${path}/test`))))).toHaveLength(2);

    const removed = await auditOf(gateway.app.store, async () => expectOk(await owner.call('DELETE', path)));
    expect(removed).toMatchObject([{ action: 'alert.remove' }]);
    expect(await targets(owner, own)).toEqual([]);
    expect(outcome(await owner.call('GET', `${path}/deliveries`))).toBe('404 not_found');
  });

  it('a new condition of a target is told at once where it lasts, and the log says what was told', async () => {
    const target = await create(owner, own, { conditions: ['access_ending'] });
    await customer.linked('491710000300');
    expectOk(await customer.call('POST', '/sandbox/unlink', { phone_number: '491710000300' }));
    clock.advance(5_000);
    const post = await posted(async () =>
      expectOk(await owner.call('PATCH', `${own}/${target.target_id}`, { body: { conditions: ['access_ending', 'number_needs_person'] } })),
    );
    expect(JSON.parse(post.body).data.alerts).toMatchObject([{ condition: 'number_needs_person', phone_number: '491710000300' }]);
    expect((await deliveries(target.target_id))[0]).toMatchObject({
      type: 'alerts',
      alerts: 1,
      told: [expect.stringContaining('+491710000300 of Theirs is not linked any more')],
    });
    expectOk(await owner.call('DELETE', `${own}/${target.target_id}`));
  });

  it('problems are listed while they last and afterwards, and what was sent of them can be opened', async () => {
    const target = await create(owner, own);
    const instance_id = await customer.linked('491710000350');
    const problems = async (by: SignedIn, path: string, state: 'open' | 'ended') => {
      const { data } = expectOk(await by.call('GET', `${path}/problems?state=${state}`)).body;
      return data.problems.filter((one: { instance_id: string | null }) => one.instance_id === instance_id);
    };
    /** Waits for the post of its beginning or end. */
    const post = (phase: 'began' | 'ended') =>
      waitFor(() => {
        clock.advance(5_000);
        const found = receiver.posts.find(({ body }) => body.includes(instance_id) && body.includes(`"phase":"${phase}"`));
        if (found === undefined) throw new Error('nothing came');
        return found.body;
      });
    expectOk(await customer.call('POST', '/sandbox/unlink', { phone_number: '491710000350' }));
    const began = await post('began');
    const [open] = await problems(owner, own, 'open');
    expect(open).toEqual({
      alert_id: expect.any(String),
      condition: 'number_needs_person',
      text: 'Number +491710000350 of Theirs is not linked any more and needs a person',
      account_id: customer.accountId,
      instance_id,
      began_at: expect.stringMatching(/Z$/),
      ended_at: null,
    });
    for (const by of [boss, admin]) expect(await problems(by, all, 'open')).toEqual([open]);
    const stranger = await memberOf(gateway, (await gateway.customer()).accountId, 'owner');
    expect(await problems(stranger, own, 'open')).toEqual([]);
    expect(began).toContain(open.alert_id);
    const { delivery_id } = (await deliveries(target.target_id)).find(({ told }: { told: string[] }) => told.includes(open.text));
    const sent = await owner.call('GET', `${own}/${target.target_id}/deliveries/${delivery_id}`);
    expect(expectOk(sent).body.data).toEqual({ delivery_id, payload: began });
    expect(outcome(await owner.call('GET', `${own}/${target.target_id}/deliveries/nope`))).toBe('404 not_found');

    expectOk(await customer.call('DELETE', `/v1/instances/${instance_id}`));
    await post('ended');
    expect(await problems(owner, own, 'open')).toEqual([]);
    expect(await problems(owner, own, 'ended')).toMatchObject([{ alert_id: open.alert_id, ended_at: expect.any(String) }]);
    expect(outcome(await owner.call('GET', `${own}/problems?state=some`))).toBe('400 invalid_request');
    expectOk(await owner.call('DELETE', `${own}/${target.target_id}`));
  });

  it('a webhook that asks for it is told what becomes of messages, which the log does not show', async () => {
    const instance_id = await customer.linked('491710000301');
    const target = await create(owner, own, { conditions: [], events: ['message.read', 'message.delivered'] });
    expect(target).toMatchObject({ conditions: [], events: ['message.delivered', 'message.read'] });
    // Whoever has this number reads at once. The gateway looks every two seconds who wants to be told.
    const sent: string[] = [];
    const post = await waitFor(async () => {
      clock.advance(2_000);
      sent.push((await customer.send('text', { instance_id, to: '491710000006', text: 'Hello' })).body.data.message_id);
      const found = receiver.posts.find(({ body }) => JSON.parse(body).type === 'messages');
      if (found === undefined) throw new Error('nothing came');
      return found;
    });
    const { events } = JSON.parse(post.body).data;
    expect(events.slice(0, 2)).toMatchObject(
      ['message.delivered', 'message.read'].map((event) => ({ event, account_id: customer.accountId, instance_id })),
    );
    expect(sent).toContain(events[0].message_id);
    const log = await waitFor(async () => {
      const [delivery] = await deliveries(target.target_id);
      expect(delivery).toMatchObject({ type: 'messages', alerts: 0, told: [] });
      return delivery;
    });
    expect(log.events).toBeGreaterThan(0);
    for (const messageId of sent) expect(JSON.stringify(log)).not.toContain(messageId);
    expectOk(await owner.call('PATCH', `${own}/${target.target_id}`, { body: { events: ['message.lost'] } }));
    expectOk(await owner.call('DELETE', `${own}/${target.target_id}`));
  });

  it.each([
    ['an address inside', { address: 'http://127.0.0.1:1/hook' }, 'address'],
    ['a private address', { address: 'https://10.1.2.3/hook' }, 'address'],
    ['a name inside', { address: 'https://localhost/hook' }, 'address'],
    ['another scheme', { address: 'file:///etc/passwd' }, 'address'],
    ['a password in the address', { address: 'https://me:secret@example.com/' }, 'address'],
    ['no mail address', { kind: 'mail', address: 'https://example.com' }, 'address'],
    ['an unknown condition', { conditions: ['moon_full'] }, 'conditions[0]'],
    ['no condition', { conditions: [] }, 'conditions'],
    ['an unknown event', { events: ['message.sent'] }, 'events[0]'],
    ['events by mail', { kind: 'mail', address: 'ops@example.com', events: ['message.read'] }, 'events'],
    ['half of quiet hours', { quiet_from: '22:00' }, 'quiet_to'],
    ['quiet hours of no length', { quiet_from: '22:00', quiet_to: '22:00' }, 'quiet_to'],
    ['no time of day', { quiet_from: '25:00', quiet_to: '07:00' }, 'quiet_from'],
    ['no time zone', { quiet_from: '22:00', quiet_to: '07:00', time_zone: 'Moon/Sea' }, 'time_zone'],
  ])('a target with %s is refused, also as a change', async (_, body, field) => {
    const target = await create(owner, own, 'kind' in body ? { kind: 'mail', address: 'ops@example.com' } : {});
    const asked = { kind: 'webhook', address: receiver.url, ...body };
    expect(await owner.call('POST', own, { body: asked })).toMatchObject(refusal(400, 'invalid_request', { field }));
    expect(await owner.call('PATCH', `${own}/${target.target_id}`, { body })).toMatchObject(refusal(400, 'invalid_request', { field }));
    expectOk(await owner.call('DELETE', `${own}/${target.target_id}`));
  });

  it('mails go to an address that has confirmed, and have no secret [alerts.confirm]', async () => {
    const target = await create(owner, own, { kind: 'mail', address: 'Ops@Example.com' });
    expect(target).toMatchObject({ address: 'ops@example.com', secret: null, confirm_by: expect.any(String) });
    const asked = await waitFor(() => {
      clock.advance(5_000);
      const mail = mails.mails.find(({ to }) => to === 'ops@example.com');
      if (mail === undefined) throw new Error('nobody was asked');
      return mail.source.replace(/=\r?\n/g, '');
    });
    expect(outcome(await owner.call('POST', `${own}/${target.target_id}/test`))).toBe('400 invalid_request');
    const token = /\/link\/([\w-]+)/.exec(asked)?.[1] ?? '';
    // Whoever has the mailbox needs no sign-in.
    const stranger = openBrowser(gateway);
    const link = `/portal/api/links/${token}`;
    expect(expectOk(await stranger.call('GET', link)).body.data).toMatchObject({ purpose: 'alerts', email: 'ops@example.com' });
    expect(outcome(await stranger.call('POST', `${link.slice(0, -1)}/confirm`))).toBe('410 link_expired');
    expectOk(await stranger.call('POST', `${link}/confirm`));
    expect((await targets(owner, own)).find((one: { target_id: string }) => one.target_id === target.target_id)).toMatchObject({
      confirm_by: null,
    });
    const before = mails.mails.length;
    const path = `${own}/${target.target_id}`;
    expect(outcome(await owner.call('POST', `${path}/secret`))).toBe('400 invalid_request');
    expectOk(await owner.call('POST', `${path}/test`));
    await waitFor(() => {
      clock.advance(5_000);
      expect(mails.mails.slice(before).map(({ to }) => to)).toContain('ops@example.com');
    });
    expectOk(await owner.call('DELETE', path));
  });

  it('tests are bounded, and so are targets', async () => {
    const target = await create(owner, own);
    const test = async () => outcome(await owner.call('POST', `${own}/${target.target_id}/test`));
    for (let n = 0; n < 10; n++) expect(await test()).toBe('200');
    expect(await test()).toBe('429 rate_limit_exceeded');
    for (let n = 1; n < 20; n++) await create(owner, own);
    const one = { kind: 'webhook', address: receiver.url };
    expect(outcome(await owner.call('POST', own, { body: one }))).toBe('400 invalid_request');
    for (const { target_id } of await targets(owner, own)) expectOk(await owner.call('DELETE', `${own}/${target_id}`));
  });

  it("a provider's admin has targets of the provider, and operators those of all providers and of everything", async () => {
    const ofProvider = await create(admin, all, { provider_id: admin.providerId });
    expect(ofProvider).toMatchObject({ provider_id: admin.providerId, account_id: null });
    const everything = { kind: 'webhook', address: receiver.url };
    expect(outcome(await admin.call('POST', all, { body: everything }))).toBe('403 forbidden');
    const ofAll = await create(boss, all);
    const ofAccount = await create(owner, own);
    const ids = async (by: SignedIn, path: string) => (await targets(by, path)).map(({ target_id }: { target_id: string }) => target_id);
    expect(await ids(boss, all)).toEqual([ofProvider.target_id, ofAll.target_id]);
    expect(await ids(admin, all)).toEqual([ofProvider.target_id]);
    expect(await ids(owner, own)).toEqual([ofAccount.target_id]);
    expect(outcome(await admin.call('DELETE', `${all}/${ofAll.target_id}`))).toBe('404 not_found');
    expect(outcome(await owner.call('DELETE', `${own}/${ofProvider.target_id}`))).toBe('404 not_found');
    // Somebody who administers the account changes its targets by acting for it.
    expectOk(await admin.call('DELETE', `${own}/${ofAccount.target_id}`, { account: customer.accountId }));
    expectOk(await boss.call('DELETE', `${all}/${ofAll.target_id}`));
  });
});
