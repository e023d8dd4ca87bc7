import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../src/app/log.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { createKeptLog } from './support/kept-log.ts';
import { createManualClock } from './support/manual-clock.ts';
import { ScriptedNetwork } from './support/scripted-network.ts';
import { storeKinds } from './support/stores.ts';
import { waitFor } from './support/wait-for.ts';

describe('the log of the program', () => {
  const written = (logFormat: 'auto' | 'json' | 'text', isTTY: boolean) => {
    const pieces: string[] = [];
    const log = createLog({ logLevel: 'info', logFormat }, { isTTY, write: (piece) => pieces.push(piece) });
    log.warn({ instance_id: 'one', label: 'Front \u001b[2Jdesk', err: new TypeError('no\u202e way') }, 'a number is no longer linked');
    log.debug('too much');
    return pieces.join('');
  };

  it.each([
    ['auto', false],
    ['json', true],
  ] as const)('is JSON with ISO times and level names for machines (%s, terminal: %s)', (format, isTTY) => {
    expect(JSON.parse(written(format, isTTY))).toMatchObject({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      msg: 'a number is no longer linked',
      instance_id: 'one',
    });
  });

  it.each([
    ['auto', true],
    ['text', false],
  ] as const)('is text for people, without anything a terminal would obey (%s, terminal: %s)', (format, isTTY) => {
    const [line, ...stack] = written(format, isTTY).split('\n');
    expect(line).toMatch(/^\d{4}-\S+Z WARN {2}a number is no longer linked instance_id=one label="Front \\u001b\[2Jdesk"$/);
    expect(stack[0]).toBe('    TypeError: no? way');
  });
});

describe.each(storeKinds)('the log of a start on %s', (kind) => {
  let gateway: TestGateway;
  afterEach(() => gateway.stop());

  it('says what was opened, and when all linked numbers are back, with how many need a person', async () => {
    const { log, lines } = createKeptLog();
    const clock = createManualClock();
    const network = new ScriptedNetwork();
    gateway = await startGateway(kind, { overrides: { log, clock, networks: () => [network] } });
    const told = (msg: string) => lines.filter((line) => line.msg === msg).at(-1);
    const customer = await gateway.customer();
    const made = async (phone: string | null) => {
      const id = (await customer.call('POST', '/v1/instances', { label: 'Front desk' })).body.data.instance_id;
      if (phone === null) return id;
      await network.link(id).pairs(phone);
      await customer.reaches(id, 'open');
      return id;
    };
    const [linked, unlinked] = [await made('491710001600'), await made('491710001601'), await made(null)];
    await network.link(unlinked).closes('unlinked');
    await customer.reaches(unlinked, 'close');
    expect(told('a number is no longer linked')).toMatchObject({
      instance_id: unlinked,
      account_id: customer.accountId,
      label: 'Front desk',
      reason: 'unlinked',
    });

    expect(told('the gateway has stopped')).toBeUndefined();
    await gateway.restart();
    expect(told('the gateway has stopped')).toBeDefined();
    expect(told('the gateway has started')).toMatchObject({
      version: expect.any(String),
      address: gateway.address,
      store: kind === 'sqlite' ? 'sqlite' : 'postgresql',
      data_dir: expect.any(String),
      networks: ['sandbox'],
      numbers: 3,
    });
    const back = 'all linked numbers are back';
    const before = lines.filter(({ msg }) => msg === back).length;
    const returned = vi.fn();
    for (const app of gateway.apps) void app.returned.then(returned);
    await customer.call('GET', '/v1/instances');
    // Of several servers only one has the number.
    expect(returned).toHaveBeenCalledTimes(gateway.apps.length - 1);
    network.link(linked).opens('491710001600');
    await waitFor(() => expect(lines.filter(({ msg }) => msg === back)).toHaveLength(before + 1));
    await waitFor(() => expect(returned).toHaveBeenCalledTimes(gateway.apps.length));
    expect(told(back)).toMatchObject({ connected: 1, needs_person: 1, never_linked: 1, seconds: expect.any(Number) });
  });
});
