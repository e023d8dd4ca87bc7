import { beforeAll, describe, expect, it } from 'vitest';
import { memberOf, operator, type SignedIn } from '../support/portal.ts';
import { useGateway } from '../support/use-gateway.ts';

/** What differs from one answer to the next. */
const ofTheMoment = new Set([
  'date',
  'x-request-id',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'transfer-encoding',
  'connection',
  'keep-alive',
]);

describe('HEAD', () => {
  const routes: string[] = [];
  let owner: SignedIn;
  let runner: SignedIn;
  let instanceId: string;
  const { gateway, customer } = useGateway({
    store: 'sqlite',
    overrides: {
      onRoute({ method, url }) {
        if ([method].flat().includes('GET')) routes.push(url);
      },
    },
  });
  beforeAll(async () => {
    owner = await memberOf(gateway, customer.accountId, 'owner');
    runner = await operator(gateway);
    instanceId = (await customer.call('GET', '/v1/instances')).body.data.instances[0]?.id ?? '';
  });

  async function ask(method: string, path: string, caller: SignedIn) {
    const answer = await fetch(`${gateway.address}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...caller.headers({ account: path.startsWith('/portal/api/operator') ? null : customer.accountId }), accept: 'text/html' },
    });
    // The live stream has no end.
    const endless = answer.headers.get('content-type')?.startsWith('text/event-stream') === true && method === 'GET';
    if (endless) await answer.body?.cancel();
    const body = endless ? '' : await answer.text();
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => !ofTheMoment.has(name)));
    return { status: answer.status, headers, body };
  }

  it('is answered as GET on every route that has one, without a body', async () => {
    // Fewer would mean that the server's routes were not heard of.
    expect(routes.length).toBeGreaterThan(60);
    const answered = new Set<number>();
    for (const route of new Set(routes)) {
      const path = route
        .replace(/:accountId/, customer.accountId)
        .replace(/:(id|instanceId)\b/, instanceId)
        .replace(/:\w+/g, 'x')
        .replace('*', 'x');
      const caller = path.startsWith('/portal/api/operator') ? runner : owner;
      const got = await ask('GET', path, caller);
      const { body, ...head } = await ask('HEAD', path, caller);
      expect(body).toBe('');
      answered.add(got.status);
      // A length may be left out (RFC 9110 §8.6); one that is told is that of GET.
      const { 'content-length': length = got.headers['content-length'], ...headers } = head.headers;
      const { 'content-length': gotLength, ...gotHeaders } = got.headers;
      expect({ route, status: head.status, headers }).toEqual({ route, status: got.status, headers: gotHeaders });
      // These tell times and counts, which may have grown by a digit.
      if (!/metrics|health|events/.test(route)) expect({ route, length }).toEqual({ route, length: gotLength });
    }
    expect([...answered]).toEqual(expect.arrayContaining([200, 404]));
  });
});
