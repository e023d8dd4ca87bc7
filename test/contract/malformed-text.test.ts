import { once } from 'node:events';
import { request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { allKinds } from '../../src/kinds/index.ts';
import type { Answer } from '../support/gateway.ts';
import { hostileNesting } from '../support/nested.ts';
import { memberOf, operator } from '../support/portal.ts';
import { useGateway } from '../support/use-gateway.ts';
import { outcome, refusedField } from './outcome.ts';

const to = '491701234567';
/** Half of a surrogate pair, which JSON can write and no encoding can hold. */
const half = '\ud83d';

/** The body again and again, each time with half a character in another of its strings, and where that is. */
function* spoilt(value: unknown, path = ''): Generator<{ readonly path: string; readonly spoilt: unknown }> {
  if (typeof value === 'string') yield { path, spoilt: value + half };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    for (const one of spoilt(part, place)) {
      const copy = structuredClone(value) as Record<string, unknown>;
      copy[name] = one.spoilt;
      yield { path: one.path, spoilt: copy };
    }
  }
}

describe('text that is no text is refused', () => {
  const { gateway, customer, number } = useGateway();

  const refused = (field: string) => ({
    outcome: '400 invalid_request',
    field,
    message: expect.stringContaining(field),
  });

  describe('half a character in a field', () => {
    it.each(allKinds.flatMap((kind) => Object.entries(kind.examples).map(([name, example]) => ({ kind, name, example }))))(
      '$kind.type as in the example $name [body.no-text]',
      async ({ kind, example }) => {
        for (const { path, spoilt: body } of spoilt({ instance_id: number(), to, ...example })) {
          expect(refusedField(await customer.send(kind.type, body as object)), path).toEqual(refused(path));
        }
      },
    );

    it('all of them are named', async () => {
      const answer = await customer.send('poll', { instance_id: number(), to, question: half, options: ['a', `b${half}`, half] });
      expect(answer.body.error.details.errors.map(({ field }: { field: string }) => field)).toEqual([
        'question',
        'options[1]',
        'options[2]',
      ]);
    });

    it('of the number check, an instance, the sandbox', async () => {
      const post = async (path: string, body: object) => refusedField(await customer.call('POST', path, body));
      expect(await post('/v1/numbers/check', { instance_id: number(), numbers: [to, to + half] })).toEqual(refused('numbers[1]'));
      expect(await post('/v1/instances', { label: half })).toEqual(refused('label'));
      expect(await post('/sandbox/scan', { code: half, phone_number: to })).toEqual(refused('code'));
    });

    it("of the portal's endpoints", async () => {
      const boss = await operator(gateway);
      const owner = await memberOf(gateway, customer.accountId, 'owner');
      for (const [by, path, body, field] of [
        [boss, '/portal/api/operator/accounts', { name: `x${half}` }, 'name'],
        [boss, '/portal/api/operator/plans', { name: half, messages_per_minute: 1, instance_limit: 1 }, 'name'],
        [owner, '/portal/api/keys', { label: half }, 'label'],
        [owner, '/portal/api/members', { email: `a${half}@example.com`, role: 'member' }, 'email'],
        [owner, '/portal/auth/change-name', { name: half }, 'name'],
        [owner, '/portal/auth/change-password', { currentPassword: half, newPassword: 'long enough to do' }, 'currentPassword'],
      ] as const) {
        expect(refusedField(await by.call('POST', path, { body })), path).toEqual(refused(field));
      }
    });

    it('but in an unknown field, which is ignored; and whole pairs are text', async () => {
      const answer = await customer.send('text', { instance_id: number(), to, text: '👍 \ud83d\udc4d', more: { half } });
      expect(outcome(answer)).toBe('200');
      expect((await customer.received(to)).at(-1).content).toEqual({ text: '👍 👍' });
    });
  });

  it.each(hostileNesting)('%s in a field that may hold anything', async (_what, nested) => {
    const answer = await customer.call('POST', `/v1/instances/${number()}/passkey`, `{"credential":{"a":${nested}}}`);
    expect(refusedField(answer)).toEqual({
      outcome: '400 invalid_request',
      field: expect.stringMatching(/^credential/),
      message: expect.stringMatching(/^credential.* must /),
    });
  });

  describe('bytes that are not UTF-8', () => {
    async function raw(path: string, bytes: Buffer): Promise<Answer> {
      const headers = { apikey: customer.key, 'content-type': 'application/json', 'x-portal': '1', 'sec-fetch-site': 'same-origin' };
      const sent = request(gateway.address + path, { method: 'POST', headers });
      sent.end(bytes);
      const [response] = await once(sent, 'response');
      return { status: response.statusCode, headers: new Headers(response.headers), body: JSON.parse(await readText(response)) };
    }

    it.each([
      ['Latin-1', [0xe9]],
      ['a byte that stands nowhere', [0xff]],
      ['a character that is cut off', [0xf0, 0x9f, 0x91]],
      ['an overlong slash', [0xc0, 0xaf]],
      ['half of a surrogate pair', [0xed, 0xa0, 0xbd]],
      ['a character beyond the last', [0xf4, 0x90, 0x80, 0x80]],
    ])('%s [body.no-text]', async (_what, bytes) => {
      const body = (start: object) => {
        const [before = '', after = ''] = JSON.stringify({ ...start, text: '|', label: '|', name: '|' }).split('|');
        return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
      };
      for (const path of ['/v1/messages/text', '/v1/instances', '/sandbox/scan', '/portal/auth/sign-in']) {
        const answer = await raw(path, body({ instance_id: number(), to }));
        expect(outcome(answer), path).toBe('400 invalid_request');
        expect(answer.body.error.message, path).toContain('UTF-8');
      }
    });
  });
});
