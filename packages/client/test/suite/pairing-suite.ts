import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { DrivenClient, type Driver } from './driver.ts';

const id = '01936a5e-7c1b-7b3a-9d52-4f0e8a6c2b11';
const phone_number = '4930901822';
const code = (pairingCode: string | null = null) => ({ base64: 'data:image/png;base64,', code: 'QR', pairingCode });
const progress = (words: object) => ({
  ...{ instance_id: id, label: null, status: 'connecting', connected: false, phone_number: null, qrcode: null },
  ...{ rotation_count: null, rotation_limit: 5, exhausted: false, source: 'live', ...words },
});
const linked = progress({ status: 'open', connected: true, phone_number });
/** The connection was lost, the gateway restarted, or somebody disconnected the number. */
const broken = progress({ status: 'close' });
const conflict = 'number_already_connected';

interface Script {
  /** What each attempt begins with; null: one is under way that has no code. */
  readonly begun: object | null;
  /** What the polls find, one after another; then the number is linked. */
  readonly polls: readonly object[];
  /** What is found while no attempt runs: a state, or the code of a refusal. */
  readonly before?: object | typeof conflict;
}

/** Pairing with a gateway that is only answers. */
export function pairingSuite(driver: () => Driver): void {
  async function pairing({ begun, polls, before = broken }: Script, attempts = 1) {
    const left = [...polls];
    const times: number[] = [];
    let running = begun === null;
    const polled = () => {
      if (!running) return before;
      times.push(performance.now());
      const found = left.shift() ?? linked;
      running = found !== broken;
      return found;
    };
    const begin = () => {
      running = true;
      return begun === null ? 'qr_unavailable' : { instance_id: id, status: 'connecting', connected: false, ...begun };
    };
    const server = createServer((request, response) => {
      const found = request.url?.endsWith('/qr-status') === true ? polled() : begin();
      const refused = { success: false, error: { code: found, message: 'No.' } };
      const body = typeof found === 'string' ? refused : { success: true, data: found };
      response.writeHead(found === conflict ? 409 : body.success ? 200 : 503, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...body, request_id: '01936a61-03d4-7e55-8a90-6b1c2d3e4f50' }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const steps = await (await DrivenClient.open(driver(), { base_url, api_key: 'x', deadline: 5 })).pair(id, null, attempts);
      return { types: steps.map(({ type }) => type), gaps: times.slice(1).map((time, index) => time - (times[index] ?? 0)) };
    } finally {
      server.close();
      server.closeAllConnections();
    }
  }

  describe('pairing', () => {
    const scan = { already_connected: false, qrcode: code() };

    test('begins again when an attempt ends before its codes run out, as often as is wished', async () => {
      expect((await pairing({ begun: scan, polls: [broken] }, 2)).types).toEqual(['code', 'code', 'linked']);
      expect((await pairing({ begun: scan, polls: [broken, broken] }, 2)).types).toEqual(['code', 'code', 'expired']);
    });

    test('gives the passkey that is asked for already, and begins anew once that has failed', async () => {
      const asked = progress({ passkey_required: true, passkey: { stage: 'requested', expires_at: null } });
      expect((await pairing({ begun: null, polls: [asked, asked] })).types).toEqual(['passkey', 'linked']);
      const before = progress({ passkey_required: true, passkey: { stage: 'failed', expires_at: null }, exhausted: true });
      expect((await pairing({ begun: scan, polls: [], before })).types).toEqual(['code', 'linked']);
    });

    test('begins although the last attempt ended with a number that is connected elsewhere', async () => {
      expect((await pairing({ begun: scan, polls: [], before: conflict })).types).toEqual(['code', 'linked']);
    });

    test('waits between its polls also when a number that was connected comes back only later', async () => {
      const begun = { status: 'open', connected: true, already_connected: true, qrcode: null };
      const { types, gaps } = await pairing({ begun, polls: [progress({}), progress({})] });
      expect(types).toEqual(['linked']);
      expect(gaps).toHaveLength(2);
      expect(Math.min(...gaps)).toBeGreaterThan(40);
    });

    test('gives a code to type that is renewed beside the same QR code', async () => {
      const polls = ['K7WQ2M9X', 'B4ZT8R1C', 'B4ZT8R1C'].map((typed) => progress({ qrcode: code(typed) }));
      const { types } = await pairing({ begun: { already_connected: false, qrcode: code('K7WQ2M9X') }, polls });
      expect(types).toEqual(['code', 'code', 'linked']);
    });
  });
}
