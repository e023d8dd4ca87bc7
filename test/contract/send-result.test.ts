import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../support/manual-clock.ts';
import { useGateway } from '../support/use-gateway.ts';
import { outcome, refusedField } from './outcome.ts';
import { validBodies } from './valid-bodies.ts';

const unknownId = '0190a0a0-0000-7000-8000-000000000001';

describe('sends', () => {
  const clock = createManualClock();
  let instance_id: string;
  const { gateway, files, customer } = useGateway({ plan: 'generous', overrides: { clock } });
  beforeAll(async () => {
    instance_id = await customer.linked('491710000100');
  });

  const text = (to: unknown, fields: object = {}) => customer.send('text', { instance_id, to, text: 'Hello', ...fields });
  let contacts = 0;
  const newContact = () => `49170${4_000_010 + ++contacts}`;

  describe('to', () => {
    it.each([
      ['491701234567', '491701234567'],
      ['+491701234567', '491701234567'],
      ['+49 (170) 123-4567', '491701234567'],
      [' 49-170 [1234567] ', '491701234567'],
      ['123456', '123456'],
      ['123456789012345', '123456789012345'],
    ])('%j is sent to %s [result.to to.stripped]', async (to, digits) => {
      const answer = await text(to);
      expect([outcome(answer), answer.body.data.to]).toEqual(['200', digits]);
      expect((await customer.received(digits)).map((message) => message.message_id)).toContain(answer.body.data.message_id);
    });

    it.each([
      '',
      ' ',
      '+',
      'nobody',
      '49170123456x',
      '12345',
      '1234567890123456',
      '01701234567',
      '+0170 1234567',
      '00491701234567',
      '++491701234567',
      '49.170.1234567',
      '4'.repeat(5_000),
    ])('the unusable %j is 422 invalid_recipient [to.digits to.unusable]', async (to) => {
      expect(outcome(await text(to))).toBe('422 invalid_recipient');
    });

    it.each([undefined, null, 491701234567, true, ['491701234567'], { number: '491701234567' }])(
      '%j, which is no string, is 400',
      async (to) => {
        expect(refusedField(await text(to))).toEqual({
          outcome: '400 invalid_request',
          field: 'to',
          message: expect.stringMatching(/^to /),
        });
      },
    );
  });

  it('have a message id of their own, which can be quoted and reacted to [result.message-id reaction.own]', async () => {
    const to = newContact();
    const first = (await text(to)).body.data.message_id;
    const second = (await text(to, { quoted_message_id: first, quoted_from_me: true })).body.data.message_id;
    expect(outcome(await customer.send('reaction', { instance_id, to, message_id: first, emoji: '👍', from_me: true }))).toBe('200');
    expect(second).not.toBe(first);
    expect(await customer.received(to)).toMatchObject([
      { message_id: first, quoted: null },
      { message_id: second, quoted: { message_id: first, from_me: true } },
      { type: 'reaction', content: { message_id: first, emoji: '👍', from_me: true }, quoted: null },
    ]);
  });

  it.each(Object.keys(validBodies('')))('quote in every kind but reaction: %s [quote.reply quote.from-me quote.reaction]', async (type) => {
    const to = newContact();
    const body = { instance_id, to, ...validBodies(files.serve('/file'))[type], quoted_message_id: 'ABCDEF' };
    expect(outcome(await customer.send(type, body))).toBe('200');
    expect(outcome(await customer.send(type, { ...body, quoted_from_me: false }))).toBe('200');
    const quoted = { message_id: 'ABCDEF', from_me: false };
    expect((await customer.received(to)).map((message) => message.quoted)).toEqual(type === 'reaction' ? [null, null] : [quoted, quoted]);
    const unquoted = await customer.send(type, { ...body, quoted_message_id: undefined, quoted_from_me: true });
    // A reaction knows neither field, and unknown fields are ignored.
    if (type === 'reaction') expect(outcome(unquoted)).toBe('200');
    else expect(refusedField(unquoted)).toMatchObject({ outcome: '400 invalid_request', field: 'quoted_from_me' });
  });

  describe('from an instance the account does not have are 404 instance_not_found', () => {
    it('unknown, deleted or another account’s, all with one answer [id.foreign]', async () => {
      const deleted = await customer.linked();
      await customer.call('DELETE', `/v1/instances/${deleted}`);
      const foreign = await (await gateway.customer()).linked();
      const to = newContact();
      const answers = await Promise.all([unknownId, deleted, foreign].map((id) => text(to, { instance_id: id })));
      expect(answers.map(outcome)).toEqual(Array(3).fill('404 instance_not_found'));
      expect(new Set(answers.map((answer) => JSON.stringify(answer.body.error))).size).toBe(1);
      expect(await customer.received(to)).toEqual([]);
    });
  });

  describe('from an instance that is not linked are 409 instance_not_connected', () => {
    it('never paired [send.not-connected]', async () => {
      const { body } = await customer.call('POST', '/v1/instances', {});
      expect(outcome(await text(newContact(), { instance_id: body.data.instance_id }))).toBe('409 instance_not_connected');
    });

    it('disconnected by the caller [send.not-connected]', async () => {
      const id = await customer.linked();
      await customer.call('DELETE', `/v1/instances/${id}?logout_only=true`);
      expect(outcome(await text(newContact(), { instance_id: id }))).toBe('409 instance_not_connected');
    });

    it('unlinked on the phone, until somebody scans again [send.not-connected]', async () => {
      const id = await customer.linked('491710000777');
      expect(outcome(await customer.call('POST', '/sandbox/unlink', { phone_number: '491710000777' }))).toBe('200');
      expect(outcome(await text(newContact(), { instance_id: id }))).toBe('409 instance_not_connected');
      const { body } = await customer.call('GET', `/v1/instances/${id}/qr`);
      await customer.call('POST', '/sandbox/scan', { code: body.data.qrcode.code, phone_number: '491710000777' });
      expect(outcome(await text(newContact(), { instance_id: id }))).toBe('200');
    });
  });

  describe('to a number with a meaning', () => {
    it('0000: not on the network, 422 [to.unreachable sandbox.0000]', async () => {
      expect(outcome(await text('491704440000'))).toBe('422 invalid_recipient');
      expect(await customer.received('491704440000')).toEqual([]);
    });

    it('0001: the network cannot say, 502 [errors.upstream sandbox.0001]', async () => {
      expect(outcome(await text('491704440001'))).toBe('502 upstream_unavailable');
      expect(await customer.received('491704440001')).toEqual([]);
    });

    it('0002: answers on another number, where the message arrives [sandbox.0002]', async () => {
      const answer = await text('491704440002');
      expect([outcome(answer), answer.body.data.to]).toEqual(['200', '491704440002']);
      expect((await customer.received('491704440003')).map((message) => message.message_id)).toEqual([answer.body.data.message_id]);
      expect(await customer.received('491704440002')).toEqual([]);
    });

    it('0004: delivered, but the acknowledgement is lost, 502 [sandbox.0004]', async () => {
      expect(outcome(await text('491704440004'))).toBe('502 upstream_unavailable');
      expect(await customer.received('491704440004')).toHaveLength(1);
    });

    it('0005: the acknowledgement takes 3 s, and nothing is answered before it [sandbox.0005]', async () => {
      let answered = false;
      const answer = text('491704440005').finally(() => {
        answered = true;
      });
      await vi.waitFor(async () => expect(await customer.received('491704440005')).toHaveLength(1));
      await clock.advanceAsync(2_999);
      expect(answered).toBe(false);
      clock.advance(1);
      expect(outcome(await answer)).toBe('200');
    });
  });
});
