import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DrivenClient, type Driver } from './driver.ts';
import { type ScriptedGateway, startScriptedGateway } from './scripted-gateway.ts';

const message = { instance_id: '01936a5e-7c1b-7b3a-9d52-4f0e8a6c2b11', to: '491701234567', text: 'x' };

/** What a client makes of the address and the keys that it is given. */
export function givenSuite(start: () => Driver): void {
  describe('what is given', () => {
    let driver: Driver;
    let gateway: ScriptedGateway;
    beforeAll(async () => {
      driver = start();
      gateway = await startScriptedGateway();
    });
    afterAll(async () => {
      await driver?.stop();
      await gateway?.close();
    });

    const opened = async (base_url: string, api_key: string) =>
      (await driver.run('open', { client: 'refused', options: { base_url, api_key } })).error;

    test.each(['order', 'order-1042\n', 'order-1042\r\napikey: other', 'order\u20131042'])(
      'as a key of a send is refused and sends nothing: %j',
      async (idempotency_key) => {
        const client = await DrivenClient.open(driver, { base_url: gateway.address, api_key: 'x' });
        const asked = gateway.asked.length;
        const { message: text } = await client.refusal('sendText', { ...message, idempotency_key });
        expect(text).toContain('must be 8 to 255 of');
        expect(gateway.asked).toHaveLength(asked);
      },
    );

    test('as a key has no white space around it when it is sent, wherever it was read', async () => {
      const client = await DrivenClient.open(driver, { base_url: ` ${gateway.address}/\n`, api_key: ' mgw_secret\r\n' });
      await client.call('sendText', message);
      expect(gateway.asked.at(-1)?.apikey).toBe('mgw_secret');
    });

    test.each(['mgw_secret\nx-other: 1', 'mgw_secret\u0000x', 'mgw_secret\u2026', 'mgw_secret\u00e9'])(
      'as a key is refused without being shown: %j',
      async (key) => {
        const error = await opened(gateway.address, key);
        expect(error?.message).toMatch(/key has a line end or another character that no key has/i);
        expect(JSON.stringify(error)).not.toContain('secret');
      },
    );

    test.each(['', 'localhost:3000', '127.0.0.1:3000', 'htp://127.0.0.1', 'file:///etc/hosts', 'http://', 'http://a gateway'])(
      'as an address is refused: %j',
      async (address) => expect((await opened(address, 'x'))?.message).toContain('must begin with http:// or https://'),
    );

    test.each([
      'http://[::1',
      'http://:3000',
      'http://127.0.0.1:0',
      'http://127.0.0.1:65536',
      'http://127.0.0.1:port',
      'http://me:secret@127.0.0.1:3000/',
    ])('as an address that no request can go to is refused without being shown: %j', async (address) => {
      const error = await opened(address, 'x');
      expect(error?.message).toMatch(/must have a possible host and port, and no user name\.?$/);
      expect(JSON.stringify(error)).not.toContain(address);
    });
  });
}
