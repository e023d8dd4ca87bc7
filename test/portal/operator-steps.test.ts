import { beforeAll, describe, expect, it } from 'vitest';
import { insertDemoAccountId } from '../../src/accounts/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, operator, type SignedIn } from '../support/portal.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

describe.each(storeKinds)('the first operator on %s', (kind) => {
  const clock = createManualClock();
  let boss: SignedIn;
  const env = { NETWORKS: 'sandbox,whatsapp', WHATSAPP_URL: 'ws://127.0.0.1:1/ws/chat', WHATSAPP_WORKERS: '1' };
  const { gateway } = useGateway({ store: kind, env, overrides: { clock } });
  beforeAll(async () => {
    boss = await operator(gateway);
  });
  const steps = async () => expectOk(await boss.call('GET', '/portal/api/operator/first-steps')).body.data;

  it('has done the steps that what is stored shows', async () => {
    const none = { message: false, customer: false, person: false, alert: false, demo_account_id: null };
    expect(await steps()).toEqual(none);
    const demo = await gateway.customer({ name: 'demo' });
    await insertDemoAccountId(gateway.app.store.db, demo.accountId);
    const atStart = { ...none, demo_account_id: demo.accountId };
    expect(await steps()).toEqual(atStart);
    const instance_id = await demo.linked();
    expectOk(await demo.send('text', { instance_id, to: '15550123', text: 'Hello' }));
    expect(await steps()).toEqual({ ...atStart, message: true });
    expectOk(await boss.call('POST', '/portal/api/operator/accounts', { body: { name: 'Acme' } }));
    expect(await steps()).toEqual({ ...atStart, message: true, customer: true });
    const invitation = { email: 'eve@example.com', role: 'operator' };
    const { link } = expectOk(await boss.call('POST', '/portal/api/operator/invitations', { body: invitation })).body.data;
    gateway.secrets.add('an invitation', link);
    expect(await steps()).toEqual({ ...atStart, message: true, customer: true, person: true });
    const target = { kind: 'webhook', address: 'https://example.com/alerts', conditions: ['number_restricted'] };
    const { secret } = expectOk(await boss.call('POST', '/portal/api/operator/alerts', { body: target })).body.data;
    gateway.secrets.add('the secret of a webhook', secret);
    expect(await steps()).toEqual({ ...atStart, message: true, customer: true, person: true, alert: true });
  });

  it('is warned that WhatsApp cannot be reached once there is a number of it', async () => {
    const warned = () =>
      waitFor(async () => {
        const { administered } = expectOk(await boss.call('GET', '/portal/api/home')).body.data;
        if (administered.health.checks === null) throw new Error('still being looked at');
        return administered.health.checks.map(({ name }: { name: string }) => name).includes('whatsapp');
      });
    const { checks } = expectOk(await boss.call('GET', '/portal/api/operator/health')).body.data;
    expect(checks).toContainEqual(expect.objectContaining({ name: 'whatsapp', state: 'warn' }));
    expect(await warned()).toBe(false);
    const customer = await gateway.customer();
    expectOk(await customer.call('POST', '/v1/instances', { network: 'whatsapp' }));
    expect(await warned()).toBe(true);
    const { administered } = expectOk(await boss.call('GET', '/portal/api/home', { headers: { 'accept-language': 'es' } })).body.data;
    expect(administered.health.checks).toContainEqual(
      expect.objectContaining({
        name: 'whatsapp',
        message: expect.stringMatching(/^no se puede acceder a 127\.0\.0\.1:1: /),
        mend: expect.stringMatching(/^comprueba que el servidor de WHATSAPP_URL /),
      }),
    );
  });
});
