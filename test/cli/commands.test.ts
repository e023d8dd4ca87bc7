import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addInstance } from '../../src/accounts/index.ts';
import { hashApiKey, isUuid, newId } from '../../src/core/index.ts';
import { openStore } from '../../src/store/open-store.ts';
import { at } from '../support/act.ts';
import { startGateway } from '../support/gateway.ts';
import { logRequest } from '../support/request-log.ts';
import { storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';
import { openTerminal, type Terminal } from './world.ts';

const iso = (ms: number) => new Date(ms).toISOString();

describe.each(storeKinds)('commands on %s', (kind) => {
  let terminal: Terminal;
  beforeEach(async () => {
    terminal = await openTerminal(kind);
  });
  afterEach(() => terminal.dispose());

  test('account create, show, list, update [account.fields plan.built-in cli.json cli.account account.no-plan]', async () => {
    const account = await terminal.json('account', 'create', '--name', 'Acme');
    expect(account).toEqual({
      account_id: expect.toSatisfy(isUuid),
      name: 'Acme',
      status: 'active',
      suspended_by: null,
      refused_with: 'no_active_subscription',
      provider_id: 'default',
      provider_status: 'active',
      plan: null,
      plan_id: null,
      plan_starts_at: null,
      plan_ends_at: null,
      access_ends_at: null,
      messages_per_minute: null,
      trial_message_limit: null,
      trial_used: 0,
      instance_limit: null,
      operator: false,
      free_slots: null,
      numbers: 0,
      numbers_allowed: 0,
      limit_source: 'plan',
      live_keys: 0,
      reference: null,
      created_at: iso(terminal.now),
    });
    const id = account.account_id;
    const update = (...words: string[]) => terminal.json('account', 'update', id, ...words);
    expect(await update('--plan', 'starter', '--plan-ends', '2026-12-31', '--access-ends', '2027-01-01T01:00:00+02:00')).toMatchObject({
      plan: 'starter',
      plan_starts_at: iso(terminal.now),
      plan_ends_at: '2026-12-31T00:00:00.000Z',
      access_ends_at: '2026-12-31T23:00:00.000Z',
      refused_with: null,
    });
    expect(await update('--suspend')).toMatchObject({ status: 'suspended', suspended_by: 'operator', refused_with: 'account_suspended' });
    expect(await update('--resume', '--instance-limit', '0', '--name', 'Acme & Co')).toMatchObject({
      status: 'active',
      instance_limit: 0,
      numbers_allowed: 0,
      limit_source: 'account',
      name: 'Acme & Co',
    });
    expect(await update('--instance-limit', 'none', '--plan-ends', 'none', '--access-ends', 'none')).toMatchObject({
      instance_limit: null,
      plan_ends_at: null,
      access_ends_at: null,
      numbers_allowed: 3,
    });
    expect(await update('--plan-ends', '2026-06-15T12:00:00Z')).toMatchObject({ refused_with: 'subscription_expired' });
    expect(await update('--access-ends', '2026-06-15')).toMatchObject({ refused_with: 'access_expired' });
    expect(await update('--operator', '--free-slots', '2')).toMatchObject({ operator: true, free_slots: 2, limit_source: 'free_slots' });
    expect(await update('--no-operator')).toMatchObject({ operator: false, free_slots: null });
    const last = await update('--plan', 'none');
    expect(last).toMatchObject({ plan: null, plan_ends_at: null });
    expect(await terminal.json('account', 'show', id)).toEqual(last);
    expect(await terminal.json('account', 'list')).toEqual([last]);
  });

  test('key create, list, revoke [key.no-keys cli.key]', async () => {
    const { account_id } = await terminal.json('account', 'create', '--name', 'a', '--plan', 'trial');
    const made = await terminal.json('key', 'create', '--account', account_id, '--label', 'shop');
    expect(made).toEqual({
      key_id: expect.toSatisfy(isUuid),
      key: expect.stringMatching(/^mgw_/),
      prefix: made.key.slice(0, 12),
      account_id,
      label: 'shop',
      created_at: iso(terminal.now),
    });
    const admit = () => terminal.store.hot.admit({ keyHash: hashApiKey(made.key), now: terminal.now });
    expect(await admit()).toMatchObject({ accountId: account_id });
    const { key, ...listed } = made;
    // The use is noted a moment later.
    await waitFor(async () =>
      expect(await terminal.json('key', 'list', '--account', account_id)).toEqual([
        { ...listed, last_used_at: iso(terminal.now), revoked_at: null },
      ]),
    );
    const revoked = await terminal.json('key', 'revoke', made.key_id);
    expect(revoked).toMatchObject({ key_id: made.key_id, revoked_at: iso(terminal.now) });
    expect(await terminal.json('key', 'revoke', made.key_id)).toEqual(revoked);
    expect(await admit()).toBe(null);
  });

  test('plan create, update, list [cli.plan]', async () => {
    const plan = await terminal.json(
      'plan',
      'create',
      '--name',
      'try',
      '--messages-per-minute',
      '5',
      '--instance-limit',
      '2',
      '--trial-messages',
      '9',
    );
    expect(plan).toEqual({
      plan_id: expect.toSatisfy(isUuid),
      name: 'try',
      messages_per_minute: 5,
      instance_limit: 2,
      trial_message_limit: 9,
      is_default: false,
      created_at: iso(terminal.now),
    });
    const changed = await terminal.json(
      'plan',
      'update',
      'try',
      '--name',
      'pro',
      '--trial-messages',
      'none',
      '--messages-per-minute',
      '6',
      '--instance-limit',
      '3',
    );
    expect(changed).toEqual({ ...plan, name: 'pro', trial_message_limit: null, messages_per_minute: 6, instance_limit: 3 });
    const plans: { name: string }[] = await terminal.json('plan', 'list');
    expect(plans.map(({ name }) => name).toSorted()).toEqual(['business', 'pro', 'scale', 'starter', 'trial']);
  });

  test('provider create, update, list [cli.provider]', async () => {
    const provider = await terminal.json('provider', 'create', '--name', 'north', '--number-capacity', '5');
    expect(provider).toEqual({
      provider_id: expect.toSatisfy(isUuid),
      name: 'north',
      status: 'active',
      number_capacity: 5,
      default_plan_id: null,
      created_at: iso(terminal.now),
    });
    const { account_id } = await terminal.json('account', 'create', '--name', 'a', '--plan', 'trial', '--provider', provider.provider_id);
    expect(await terminal.json('provider', 'update', provider.provider_id, '--suspend', '--number-capacity', 'none')).toEqual({
      ...provider,
      status: 'suspended',
      number_capacity: null,
    });
    expect(await terminal.json('account', 'show', account_id)).toMatchObject({
      provider_id: provider.provider_id,
      refused_with: 'account_suspended',
    });
    await terminal.json('provider', 'update', provider.provider_id, '--resume', '--name', 'south');
    expect(await terminal.json('account', 'show', account_id)).toMatchObject({ refused_with: null });
    expect(await terminal.json('provider', 'list')).toHaveLength(2);
  });

  test('number list, request show, usage [request-id.support cli.shows]', async () => {
    const { account_id } = await terminal.json('account', 'create', '--name', 'a', '--plan', 'trial');
    const id = newId();
    await addInstance(terminal.store, { accountId: account_id, id, network: 'sandbox', label: 'desk' }, at(terminal.now));
    const number = {
      instance_id: id,
      account_id,
      label: 'desk',
      network: 'sandbox',
      phone_number: null,
      linked: false,
      standing: 'never_linked',
      conflict: false,
      restriction: null,
      new_chats: null,
      created_at: iso(terminal.now),
    };
    expect(await terminal.json('number', 'list', '--account', account_id)).toEqual([number]);

    const until = terminal.now + 60_000;
    const restrict = (restriction_until: number | null) =>
      terminal.store.db.updateTable('instances').set({ restriction_reason: 'reach_out_blocked', restriction_until }).execute();
    await restrict(until);
    const restricted = { ...number, restriction: { reason: 'reach_out_blocked', until: iso(until) } };
    expect(await terminal.json('number', 'list', '--account', account_id)).toEqual([restricted]);
    expect((await terminal.run('number', 'list', '--account', account_id)).stdout).toContain(
      `the network does not let this number start new chats (until ${iso(until)})`,
    );
    await restrict(terminal.now);
    expect(await terminal.json('number', 'list', '--account', account_id)).toEqual([number]);

    const counted = { new_chats_used: 12, new_chats_quota: 50, new_chats_cycle_ends_at: until };
    await terminal.store.db.updateTable('instances').set(counted).execute();
    const newChats = { used: 12, quota: 50, cycle_ends_at: iso(until) };
    expect(await terminal.json('number', 'list', '--account', account_id)).toEqual([{ ...number, new_chats: newChats }]);
    expect((await terminal.run('number', 'list', '--account', account_id)).stdout).toContain('12 of 50');

    const scan = await terminal.json('number', 'scan-link', id);
    expect(scan).toEqual({
      instance_id: id,
      link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/link\/[A-Za-z0-9_-]{43}$/),
      expires_at: iso(terminal.now + 60 * 60 * 1000),
    });
    expect(await terminal.json('audit', '--account', account_id)).toContainEqual(
      expect.objectContaining({ action: 'number.scan_link', actor_kind: 'command_line', target_id: id }),
    );
    expect(JSON.stringify(await terminal.dump())).not.toContain(scan.link.split('/').at(-1));
    const unaddressed = await terminal.runIn({ env: { PORT: '0' } }, 'number', 'scan-link', id);
    expect([unaddressed.exitCode, unaddressed.stderr]).toEqual([1, expect.stringContaining('PORT is 0')]);
    const made = await terminal.json('audit', '--account', account_id);
    expect(made.filter(({ action }: { action: string }) => action === 'number.scan_link')).toHaveLength(1);

    const request = {
      request_id: newId(),
      duration_ms: 2.5,
      account_id,
      key_id: null,
      person_id: newId(),
      person_email: 'ada@example.com',
      method: 'POST',
      path: '/v1/messages/text',
      status: 409,
      code: 'instance_not_connected',
      error_message: 'The number is not linked.',
      media_host: 'files.example.com',
      instance_id: id,
      message_type: 'text',
      message_id: 'ABC',
      recipient: '4917000000',
      idempotency: 'new',
      stages: { admission: 0.4, validation: 0.25, claim: 12, media: null, network: null, settle: null },
    };
    await logRequest(terminal.store, { ...request, at: terminal.now });
    expect(await terminal.json('request', 'show', request.request_id)).toEqual({ ...request, at: iso(terminal.now) });

    const sent = {
      ...{ ...request, request_id: newId(), at: terminal.now + 1000, status: 200, code: null, error_message: null, media_host: null },
      ...{ message_id: 'DEF', recipient: '4917000001', instance_id: newId() },
    };
    await logRequest(terminal.store, sent);
    await logRequest(terminal.store, { ...sent, request_id: newId(), message_type: null, method: 'GET', path: '/v1/instances' });
    const found = async (...words: string[]) => {
      const sends: { request_id: string }[] = await terminal.json('request', 'list', '--account', account_id, ...words);
      return sends.map(({ request_id }) => request_id);
    };
    const [failure, success] = [request.request_id, sent.request_id];
    expect(await found()).toEqual([success, failure]);
    expect(await found('--failed')).toEqual([failure]);
    expect(await found('--to', '+49 1700 0001')).toEqual([success]);
    expect(await found('--message-id', 'ABC')).toEqual([failure]);
    expect(await found('--number', id)).toEqual([failure]);
    expect(await found('--since', iso(terminal.now + 500) ?? '')).toEqual([success]);
    expect(await found('--limit', '1')).toEqual([success]);
    expect(await found('--to', '4917000002')).toEqual([]);
    const everywhere: { request_id: string }[] = await terminal.json('request', 'list', '--to', '+49 1700 0001');
    expect(everywhere.map(({ request_id }) => request_id)).toEqual([success]);
    expect((await terminal.run('request', 'list', '--failed')).stdout).toContain('The number is not linked.');
    const findings = await terminal.json('find', request.request_id);
    expect(findings.requests.items).toEqual([expect.objectContaining({ request_id: failure, account_id, recipient: '4917000000' })]);
    expect(findings).toMatchObject({ numbers: { items: [], more: false }, accounts: { items: [] }, people: { items: [] } });
    expect((await terminal.json('find', id)).numbers.items).toMatchObject([{ instance_id: id, account_id }]);
    expect((await terminal.run('find', '4917000001')).stdout).toContain(success);
    expect((await terminal.run('find', 'no such name')).stdout).toBe('Nothing has that name.\n');
    expect((await terminal.run('request', 'list', '--account', account_id)).stdout).toContain('409 instance_not_connected');
    expect((await terminal.run('request', 'list', '--account', account_id, '--to', '4917000002')).stdout).toBe('No such sends.\n');
    expect((await terminal.run('request', 'show', request.request_id)).stdout).toMatch(/^person +ada@example\.com$/m);
    expect((await terminal.run('request', 'show', request.request_id)).stdout).toMatch(
      /^of that +admission 0\.4, validation 0\.3, claim 12\.0$/m,
    );

    await terminal.store.hot.settle({
      requestId: newId(),
      at: 0,
      accountId: account_id,
      type: 'text',
      day: '2026-06-14',
      keyed: null,
      reservation: null,
    });
    await terminal.store.hot.settle({
      requestId: newId(),
      at: 0,
      accountId: account_id,
      type: 'poll',
      day: '2026-06-14',
      keyed: null,
      reservation: null,
    });
    await terminal.store.hot.seeNumber({ accountId: account_id, phoneNumber: '491', day: '2026-06-15' });
    expect(await terminal.json('usage', '--account', account_id, '--from', '2026-06-14', '--to', '2026-06-15')).toEqual({
      account_id,
      from: '2026-06-14',
      to: '2026-06-15',
      days: [
        { day: '2026-06-14', sends: { poll: 1, text: 1 }, total_sends: 2, number_days: 0 },
        { day: '2026-06-15', sends: {}, total_sends: 0, number_days: 1 },
      ],
      total_sends: 2,
      number_days: 1,
    });
    const lately = await terminal.json('usage', '--account', account_id);
    expect(lately).toMatchObject({ from: '2026-05-17', to: '2026-06-15', total_sends: 2 });
    expect(lately.days).toHaveLength(30);
    expect(await terminal.json('usage', '--account', account_id, '--to', '2026-05-10')).toMatchObject({
      from: '2026-04-11',
      to: '2026-05-10',
      total_sends: 0,
    });
  });

  test('doctor finds a fresh machine usable [doctor.missing]', async () => {
    const { exitCode, stdout } = await terminal.run('doctor', '--json');
    const { ok, checks } = JSON.parse(stdout);
    expect(checks.filter((check: { state: string }) => check.state === 'fail')).toEqual([]);
    expect([exitCode, ok]).toEqual([0, true]);
    expect(checks.map((check: { check: string }) => check.check)).toContain(kind === 'postgres' ? 'postgresql' : 'free space');
  });
});

test('commands work beside a running server and take effect on its next request [key.revoked cli.beside]', async () => {
  const gateway = await startGateway('sqlite');
  const terminal = await openTerminal();
  try {
    const { accountId, key } = await gateway.customer();
    const run = async (...words: string[]) => {
      const { exitCode, stdout } = await terminal.runIn({ env: { DATA_DIR: gateway.dataDir }, openStore }, ...words, '--json');
      expect(exitCode).toBe(0);
      return JSON.parse(stdout);
    };
    const status = async (apiKey: string) => (await gateway.call('GET', '/v1/instances', { key: apiKey })).status;
    expect(await status(key)).toBe(200);
    await run('account', 'update', accountId, '--suspend');
    expect(await status(key)).toBe(403);
    await run('account', 'update', accountId, '--resume');
    const made = await run('key', 'create', '--account', accountId);
    expect(await status(made.key)).toBe(200);
    await run('key', 'revoke', made.key_id);
    expect(await status(made.key)).toBe(401);
  } finally {
    await terminal.dispose();
    await gateway.stop();
  }
});
