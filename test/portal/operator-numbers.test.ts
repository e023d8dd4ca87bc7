import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/core/index.ts';
import type { HealthCheck } from '../../src/portal/wire/operator.ts';
import { outcome } from '../contract/outcome.ts';
import type { Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { refuseRows } from '../support/refused-writes.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';

const path = '/portal/api/operator/numbers';

describe.each(storeKinds)('all numbers on %s', (kind) => {
  let boss: SignedIn;
  let admin: SignedIn;
  let theirs: Customer;
  let foreign: Customer;
  let open: string;
  let unlinked: string;
  let elsewhere: string;
  const { gateway } = useGateway({ store: kind });
  beforeAll(async () => {
    boss = await operator(gateway);
    const signedIn = await providerAdmin(gateway);
    admin = signedIn;
    theirs = await gateway.customer({ name: 'Theirs', providerId: signedIn.providerId });
    foreign = await gateway.customer({ name: 'Foreign' });
    open = await theirs.linked('491700000001');
    unlinked = (await theirs.call('POST', '/v1/instances', { label: 'Till 7' })).body.data.instance_id;
    await theirs.call('DELETE', `/v1/instances/${unlinked}?logout_only=true`);
    elsewhere = await foreign.linked('491700000002');
  });
  const list = async (by: SignedIn, query = '') => expectOk(await by.call('GET', path + query)).body.data;
  const ids = async (by: SignedIn, query = '') =>
    (await list(by, query)).rows.map(({ instance_id }: { instance_id: string }) => instance_id);

  it('are told with their account and their state right now', async () => {
    // A moment after it has happened.
    await expect.poll(async () => (await list(boss)).rows[2].since).not.toBeNull();
    const { rows, total } = await list(boss);
    expect(total).toBe(3);
    expect(rows).toEqual([
      expect.objectContaining({ instance_id: elsewhere, account_name: 'Foreign', status: 'open' }),
      expect.objectContaining({ instance_id: unlinked, label: 'Till 7', phone_number: null, status: 'close' }),
      {
        instance_id: open,
        account_id: theirs.accountId,
        account_name: 'Theirs',
        label: null,
        phone_number: '491700000001',
        network: 'sandbox',
        status: 'open',
        standing: 'connected',
        reason: null,
        since: expect.stringMatching(/Z$/),
        last_sent_at: null,
        restriction: null,
        new_chats: null,
        proxy: null,
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it('are found by state, network, label, number, account and id', async () => {
    expect(await ids(boss, '?status=open')).toEqual([elsewhere, open]);
    expect(await ids(boss, '?status=close&network=sandbox')).toEqual([unlinked]);
    expect(await ids(boss, '?network=whatsapp')).toEqual([]);
    expect(await ids(boss, '?search=TILL')).toEqual([unlinked]);
    expect(await ids(boss, '?search=0000001')).toEqual([open]);
    expect(await ids(boss, '?search=foreign')).toEqual([elsewhere]);
    expect(await ids(boss, `?search=${open.toUpperCase()}`)).toEqual([open]);
    expect(await ids(boss, `?search=${theirs.accountId}`)).toEqual([unlinked, open]);
    expect((await list(boss, '?search=nothing')).total).toBe(0);
    for (const field of ['status', 'network']) {
      expect(await boss.call('GET', `${path}?${field}=odd`)).toMatchObject(refusal(400, 'invalid_request', { field }));
    }
  });

  it("are those of the own provider for its admin, and nobody's for members", async () => {
    expect(await ids(admin)).toEqual([unlinked, open]);
    expect(await ids(admin, '?search=0000002')).toEqual([]);
    const member = await memberOf(gateway, theirs.accountId, 'owner');
    expect(outcome(await member.call('GET', path))).toBe('403 forbidden');
  });

  it('have a page each, with who owns the number, whether it is suspended, how its sends ended by day, and which failed last', async () => {
    const owner = await memberOf(gateway, foreign.accountId, 'owner');
    await memberOf(gateway, foreign.accountId, 'member');
    const detail = async () => expectOk(await boss.call('GET', `${path}/${elsewhere}`)).body.data;
    expect(await detail()).toMatchObject({ last_failures: [], suspended: false });
    const failed: string[] = [];
    for (let send = 0; send < 6; send++)
      failed.unshift((await foreign.send('text', { instance_id: elsewhere, to: '491701230000', text: 'x' })).body.request_id);
    expectOk(await foreign.send('text', { instance_id: elsewhere, to: '491701234500', text: 'x' }));
    await gateway.app.store.hot.logged();
    const { owners, sends, last_failures } = await detail();
    expect(sends).toHaveLength(30);
    expect(sends.at(-1)).toEqual({ day: new Date().toISOString().slice(0, 10), accepted: 1, refused: 6, failed: 0 });
    expect(owners).toEqual([{ user_id: owner.userId, email: owner.email }]);
    expect(last_failures.map(({ request_id }: { request_id: string }) => request_id)).toEqual(failed.slice(0, 5));
    expect(last_failures[0]).toMatchObject({ code: 'invalid_recipient', recipient: '491701230000' });
    expect((await list(boss, `?search=${elsewhere}`)).rows[0].last_sent_at).toMatch(/Z$/);
    // Whoever names a number that is not theirs counts nowhere in it.
    expect(outcome(await theirs.send('text', { instance_id: elsewhere, to: '491701234500', text: 'x' }))).toBe('404 instance_not_found');
    await gateway.app.store.hot.logged();
    expect((await detail()).sends).toEqual(sends);
    expect(outcome(await admin.call('GET', `${path}/${elsewhere}`))).toBe('404 not_found');
    const status = (status: string) => boss.call('PATCH', `/portal/api/operator/accounts/${foreign.accountId}`, { body: { status } });
    expectOk(await status('suspended'));
    expect((await detail()).suspended).toBe(true);
    expectOk(await status('active'));
  });

  it('connect through the proxy that an operator sets, which nobody reads back whole', async () => {
    const set = (by: SignedIn, proxy: unknown, id = open) => by.call('PATCH', `${path}/${id}`, { body: { proxy } });
    const shown = async (by: SignedIn) => (await list(by, `?search=${open}`)).rows[0].proxy;
    gateway.secrets.add("the proxy's password", 'Zx81-hidden-Qq');
    expect(expectOk(await set(boss, 'socks5://me:Zx81-hidden-Qq@proxy.example.com:1085')).body.data).toMatchObject({
      instance_id: open,
      phone_number: '491700000001',
      status: 'open',
      proxy: 'socks5://proxy.example.com:1085',
    });
    expect(await shown(boss)).toBe('socks5://proxy.example.com:1085');
    expect(await shown(admin)).toBeNull();
    expect(expectOk(await set(boss, 'http://10.0.0.1', open.toUpperCase())).body.data.proxy).toBe('http://10.0.0.1:8080');
    expect(expectOk(await set(boss, null)).body.data.proxy).toBeNull();

    for (const proxy of ['ftp://host:1', 'proxy.example.com:1080', 'http://host/path', '', 7, undefined, `http://${'a'.repeat(1000)}`])
      expect(await set(boss, proxy)).toMatchObject(refusal(400, 'invalid_request', { field: 'proxy' }));
    expect(outcome(await set(boss, null, '0198c0de-0000-7000-8000-000000000000'))).toBe('404 not_found');
    // A label and an account's id find numbers too, and are no number's id.
    for (const id of ['Till%207', theirs.accountId]) expect(outcome(await set(boss, null, id))).toBe('404 not_found');
    const owner = await memberOf(gateway, theirs.accountId, 'owner');
    for (const person of [admin, owner]) expect(outcome(await set(person, 'http://10.0.0.1'))).toBe('403 forbidden');

    const { rows: entries } = expectOk(await boss.call('GET', `/portal/api/operator/audit?account_id=${theirs.accountId}`)).body.data;
    const changes = entries.filter(({ action }: { action: string }) => action === 'number.proxy');
    expect(changes).toEqual([
      expect.objectContaining({ target_id: open, details: { proxy: { from: 'http://10.0.0.1:8080', to: null } } }),
      expect.objectContaining({ details: { proxy: { from: 'socks5://proxy.example.com:1085', to: 'http://10.0.0.1:8080' } } }),
      expect.objectContaining({ actor_kind: 'user', details: { proxy: { from: null, to: 'socks5://proxy.example.com:1085' } } }),
    ]);
  });

  it('are closed while their network is not enabled', async () => {
    await gateway.restart({ env: { NETWORKS: 'whatsapp', WHATSAPP_URL: 'ws://127.0.0.1:1' } });
    // At another address than the browser knows.
    const answer = await fetch(gateway.address + path, { headers: boss.headers() });
    const { data } = (await answer.json()) as { data: { rows: { status: string; phone_number: string | null }[] } };
    expect(data.rows.map(({ status, phone_number }) => [status, phone_number])).toEqual([
      ['close', '491700000002'],
      ['close', null],
      ['close', '491700000001'],
    ]);
  });
});

describe.each(storeKinds)('health on %s', (kind) => {
  const clock = createManualClock();
  const { gateway } = useGateway({ store: kind, overrides: { clock } });

  it('is told to operators alone', async () => {
    const boss = await operator(gateway);
    const customer = await gateway.customer();
    await customer.linked();
    expectOk(await customer.call('POST', '/v1/instances', {}));
    // Of a network that is not enabled, so that nothing connects it.
    const row = { id: newId(), account_id: customer.accountId, network: 'whatsapp', label: null, phone_number: null };
    await gateway.app.store.db
      .insertInto('instances')
      .values({ ...row, linked: 0, conflict: 0, created_at: 0 })
      .execute();
    const { data } = expectOk(await boss.call('GET', '/portal/api/operator/health')).body;
    expect(data).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      started_at: expect.stringMatching(/Z$/),
      store: { dialect: kind, ok: true, latency_ms: expect.any(Number) },
      memory: { rss_bytes: expect.any(Number), heap_used_bytes: expect.any(Number) },
      event_loop: { p50_ms: expect.any(Number), p99_ms: expect.any(Number) },
      numbers: { open: 1, connecting: 1, close: 1, needs_person: 0, never_linked: 2 },
      networks: ['sandbox'],
    });
    expect(data.memory.rss_bytes).toBeGreaterThan(data.memory.heap_used_bytes);
    const checks = new Map(data.checks.map((check: { name: string }) => [check.name, check]));
    expect([...checks.keys()]).toEqual(
      expect.arrayContaining(['node', 'clock', 'data folder', 'free space', 'database', 'tls', 'ffmpeg', 'ffprobe']),
    );
    expect(checks.get('database')).toEqual({
      name: 'database',
      ok: true,
      state: 'ok',
      message: expect.stringContaining('none pending'),
      mend: null,
    });
    // The way to the server itself makes no sense from inside.
    expect(checks.has('server')).toBe(false);
    for (const person of [await providerAdmin(gateway), await memberOf(gateway, customer.accountId, 'owner')])
      expect(outcome(await person.call('GET', '/portal/api/operator/health'))).toBe('403 forbidden');
  });

  it('says what it finds in the language of the pages', async () => {
    const boss = await operator(gateway);
    const checks = async (language: string): Promise<HealthCheck[]> =>
      expectOk(await boss.call('GET', '/portal/api/operator/health', { headers: { 'accept-language': language } })).body.data.checks;
    const english = await checks('en');
    for (const language of ['pt-BR', 'es', 'id']) {
      const same = (await checks(language)).filter(
        ({ message, mend }, i) => message === english[i]?.message || (mend !== null && mend === english[i]?.mend),
      );
      // Names with their versions.
      expect(same.map(({ name }) => name)).toEqual(kind === 'postgres' ? ['node', 'postgresql'] : ['node']);
    }
    const messages = (await checks('pt-BR')).map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringMatching(/, esquema \S+ \(\d+ migrações aplicadas, nenhuma pendente\)$/));
  });

  it('tells of a pending write that the database does not take either', async () => {
    const { store, outbox } = gateway.app;
    const boss = await operator(gateway);
    const allow = await refuseRows(store, 'pending_writes');
    outbox.add({ name: 'test', encode: String, run: async () => undefined }, { id: '1', payload: '' }, new Error('refused'));
    // What was found is told for a minute.
    clock.advance(60_000);
    const { checks } = expectOk(await boss.call('GET', '/portal/api/operator/health')).body.data;
    await allow();
    const found = checks.filter(({ name }: HealthCheck) => name === 'pending writes');
    expect(found).toMatchObject([{ state: 'ok', message: expect.stringMatching(/^one write is pending, the oldest since /) }]);
  });
});
