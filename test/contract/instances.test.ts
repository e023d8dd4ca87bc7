import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Customer } from '../support/gateway.ts';
import { refusal, uuidPattern } from '../support/refusal.ts';
import { storeKinds } from '../support/stores.ts';
import { useGateway } from '../support/use-gateway.ts';

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
// One code point, two UTF-16 units: what counts is the former.
const wide = '🙂';

describe('instances', () => {
  let customer: Customer;
  const { gateway } = useGateway();
  beforeEach(async () => {
    customer = await gateway.customer();
  });
  const create = async (body: object = {}) => (await customer.call('POST', '/v1/instances', body)).body.data;

  describe('create', () => {
    it('answers the instance with its first QR code, connecting [instance.id qr.fields create.data instance.shape create.waits]', async () => {
      const answer = await customer.call('POST', '/v1/instances', { label: 'Shop', colour: 'unknown fields are ignored' });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ success: true, data: expect.anything(), request_id: expect.stringMatching(uuidPattern) });
      expect(answer.body.data).toEqual({
        instance_id: expect.stringMatching(uuidPattern),
        label: 'Shop',
        status: 'connecting',
        connected: false,
        phone_number: null,
        network: 'sandbox',
        created_at: expect.stringMatching(isoTime),
        new_chats: null,
        qrcode: { base64: expect.stringMatching(/^data:image\/png;base64,/), code: expect.stringMatching(/\S/), pairingCode: null },
      });
      const image = Buffer.from(answer.body.data.qrcode.base64.split(',')[1], 'base64');
      expect(image.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    });

    it('leaves the label null when none is given [label.create label.null]', async () => {
      expect((await create()).label).toBeNull();
    });

    it.each([
      ['an empty label', ''],
      ['60 characters', 'x'.repeat(60)],
      ['60 code points outside the basic plane', wide.repeat(60)],
      ['spaces, quotes and markup as they are', ` "Läden" <b>&amp;</b> 'x' `],
    ])('accepts %s [label.create]', async (_what, label) => {
      const { instance_id, label: given } = await create({ label });
      expect(given).toBe(label);
      expect((await customer.call('GET', `/v1/instances/${instance_id}/status`)).body.data.label).toBe(label);
    });

    it.each([
      ['61 characters', 'x'.repeat(61)],
      ['61 code points', wide.repeat(61)],
      ['a number', 7],
      ['null', null],
      ['a list', ['Shop']],
      ['U+0000, which PostgreSQL cannot hold', 'a\u0000b'],
      ['a line break', 'a\nb'],
      ['a C1 control character', 'a\u0085b'],
      ['half of a surrogate pair', 'a\ud83d'],
    ])('refuses a label of %s, and makes no instance [label.create]', async (_what, label) => {
      expect(await customer.call('POST', '/v1/instances', { label })).toMatchObject(refusal(400, 'invalid_request', { field: 'label' }));
      expect((await customer.call('GET', '/v1/instances')).body.data.instances).toEqual([]);
    });

    it('takes the network by name, one of the enabled ones [network.choice]', async () => {
      expect((await create({ network: 'sandbox' })).network).toBe('sandbox');
      for (const network of ['whatsapp', 'carrier pigeon', '', 7, null]) {
        expect(await customer.call('POST', '/v1/instances', { network })).toMatchObject(
          refusal(400, 'invalid_request', { field: 'network' }),
        );
      }
      expect((await customer.call('GET', '/v1/instances')).body.data.instances).toHaveLength(1);
    });

    it.each([
      ['no body', undefined],
      ['broken JSON', '{"label":'],
      ['a list', '[]'],
      ['null', 'null'],
      ['a string', '"Shop"'],
    ])('refuses %s in place of a JSON object [body.refused]', async (_what, body) => {
      expect(await customer.call('POST', '/v1/instances', body)).toMatchObject(refusal(400, 'invalid_request'));
    });
  });

  describe.each(storeKinds)('list on %s', (kind) => {
    let customer: Customer;
    const { gateway } = useGateway({ store: kind });
    beforeEach(async () => {
      customer = await gateway.customer();
    });
    const create = async (body: object = {}) => (await customer.call('POST', '/v1/instances', body)).body.data;

    it('shows the account its own instances, oldest first, in the one shape [instance.status instances.list instance.shape instances.order]', async () => {
      expect((await customer.call('GET', '/v1/instances')).body.data).toEqual({ instances: [] });
      const pairing = await create({ label: 'first' });
      const linked = await customer.linked('491710000200');
      const third = await create({ label: 'third' });
      await customer.call('DELETE', `/v1/instances/${third.instance_id}?logout_only=true`);
      await (await gateway.customer()).linked('491710000201');
      const common = { network: 'sandbox', created_at: expect.stringMatching(isoTime), new_chats: null };
      const answer = await customer.call('GET', '/v1/instances');
      expect(answer.status).toBe(200);
      expect(answer.body.data).toEqual({
        instances: [
          { instance_id: pairing.instance_id, label: 'first', status: 'connecting', connected: false, phone_number: null, ...common },
          { instance_id: linked, label: null, status: 'open', connected: true, phone_number: '491710000200', ...common },
          { instance_id: third.instance_id, label: 'third', status: 'close', connected: false, phone_number: null, ...common },
        ],
      });
    });

    it('keeps one order, oldest first, for instances made at the same time, over a restart too [instance.id instances.order]', async () => {
      await Promise.all(Array.from({ length: 20 }, () => create()));
      const list = async () => (await customer.call('GET', '/v1/instances')).body.data.instances;
      const before: { instance_id: string; created_at: string }[] = await list();
      expect(before).toHaveLength(20);
      const sorted = before.toSorted((a, b) => (a.created_at + a.instance_id < b.created_at + b.instance_id ? -1 : 1));
      expect(before).toEqual(sorted);
      await gateway.restart();
      const after: typeof before = await list();
      expect(after.map(({ instance_id, created_at }) => [instance_id, created_at])).toEqual(
        before.map(({ instance_id, created_at }) => [instance_id, created_at]),
      );
    });
  });

  describe('status', () => {
    it('has the same fields as the list item, before and after pairing [instance.fields status.data instance.shape extensions.optional]', async () => {
      const { qrcode, ...created } = await create({ label: 'Shop' });
      const path = `/v1/instances/${created.instance_id}/status`;
      expect((await customer.call('GET', path)).body.data).toEqual(created);
      await customer.call('POST', '/sandbox/scan', { code: qrcode.code, phone_number: '491710000210' });
      await customer.reaches(created.instance_id, 'open');
      const answer = await customer.call('GET', path);
      expect(answer.status).toBe(200);
      expect(answer.body.data).toEqual({ ...created, status: 'open', connected: true, phone_number: '491710000210' });
    });
  });

  describe('rename', () => {
    it('changes the label and nothing else [body.unknown-fields label.rename label.patch]', async () => {
      const id = await customer.linked('491710000220');
      const before = (await customer.call('GET', `/v1/instances/${id}/status`)).body.data;
      const answer = await customer.call('PATCH', `/v1/instances/${id}`, { label: 'Support desk', status: 'close', phone_number: '1' });
      expect(answer.status).toBe(200);
      expect(answer.body.data).toEqual({ instance_id: id, label: 'Support desk', status: 'open' });
      expect((await customer.call('GET', `/v1/instances/${id}/status`)).body.data).toEqual({ ...before, label: 'Support desk' });
      await gateway.restart();
      await customer.reaches(id, 'open');
      expect((await customer.call('GET', `/v1/instances/${id}/status`)).body.data).toEqual({ ...before, label: 'Support desk' });
    });

    it.each([
      ['one character', 'x'],
      ['60 code points', wide.repeat(60)],
      ['a word with space around it, as it is', ' x '],
    ])('accepts %s [label.patch]', async (_what, label) => {
      const { instance_id } = await create({ label: 'old' });
      expect((await customer.call('PATCH', `/v1/instances/${instance_id}`, { label })).body.data.label).toBe(label);
    });

    it.each([
      ['nothing', {}],
      ['null', { label: null }],
      ['an empty label', { label: '' }],
      ['spaces only', { label: '   ' }],
      ['white space only', { label: '\u00a0\u2003' }],
      ['61 characters', { label: 'x'.repeat(61) }],
      ['61 code points', { label: wide.repeat(61) }],
      ['a number', { label: 7 }],
      ['a control character', { label: 'a\u0000b' }],
      ['a misspelled field', { Label: 'new' }],
    ])('refuses %s [label.rename label.patch label.blank]', async (_what, body) => {
      const { instance_id } = await create({ label: 'old' });
      expect(await customer.call('PATCH', `/v1/instances/${instance_id}`, body)).toMatchObject(
        refusal(400, 'invalid_request', { field: 'label' }),
      );
      expect((await customer.call('GET', '/v1/instances')).body.data.instances).toMatchObject([{ label: 'old' }]);
    });
  });

  describe('ids', () => {
    const paths: [string, string, object?][] = [
      ['GET', '/status'],
      ['GET', '/qr'],
      ['GET', '/qr-status'],
      ['GET', '/passkey'],
      ['POST', '/passkey', { credential: {} }],
      ['POST', '/passkey/confirm'],
      ['PATCH', '', { label: 'x' }],
      ['DELETE', ''],
      ['DELETE', '?logout_only=true'],
    ];
    it.each(paths)('%s {id}%s: 404 for unknown, foreign, malformed ids [id.foreign id.path id.malformed]', async (method, rest, body) => {
      const other = await gateway.customer();
      const foreign = await other.linked('491710000229');
      const answers = [];
      for (const id of [randomUUID(), foreign, foreign.toUpperCase(), 'not-a-uuid', '1', `${foreign}0`, '%20', '..%2f']) {
        answers.push(await customer.call(method, `/v1/instances/${id}${rest}`, body));
      }
      for (const answer of answers) {
        expect(answer).toMatchObject(refusal(404, 'instance_not_found'));
        expect(answer.body.error).toEqual(answers[0]?.body.error);
      }
      expect((await other.call('GET', `/v1/instances/${foreign}/status`)).body.data).toMatchObject({
        label: null,
        phone_number: '491710000229',
      });
      // With several servers it may just be moving to another one, which connects it anew.
      await other.reaches(foreign, 'open');
    });

    it('in upper case mean the same instance, in paths and bodies [id.path]', async () => {
      const id = await customer.linked('491710000230');
      const upper = id.toUpperCase();
      expect((await customer.call('GET', `/v1/instances/${upper}/status`)).body.data.instance_id).toBe(id);
      expect((await customer.call('GET', `/v1/instances/${upper}/qr`)).body.data.instance_id).toBe(id);
      expect((await customer.call('PATCH', `/v1/instances/${upper}`, { label: 'x' })).body.data.instance_id).toBe(id);
      expect((await customer.send('text', { instance_id: upper, to: '491701234500', text: 'x' })).body.data.instance_id).toBe(id);
      const checked = await customer.call('POST', '/v1/numbers/check', { instance_id: upper, numbers: ['491701234500'] });
      expect(checked.body.data.instance_id).toBe(id);
      expect((await customer.call('DELETE', `/v1/instances/${upper}`)).body.data).toEqual({ instance_id: id, deleted: true });
      expect(await customer.call('GET', `/v1/instances/${id}/status`)).toMatchObject(refusal(404, 'instance_not_found'));
    });

    it.each(['text', 'numbers/check'])('in the body of %s must be UUIDs [check.instance-id id.body]', async (path) => {
      const url = path === 'text' ? '/v1/messages/text' : '/v1/numbers/check';
      for (const instance_id of ['not-a-uuid', '', 7, null, undefined, ['x'], `{${randomUUID()}}`]) {
        const answer = await customer.call('POST', url, { instance_id, to: '491701234500', text: 'x', numbers: ['491701234500'] });
        expect(answer).toMatchObject(refusal(400, 'invalid_request', { field: 'instance_id' }));
      }
    });
  });
});
