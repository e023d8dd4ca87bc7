import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { bundledVersion } from '../../src/networks/whatsapp/version/choose-version.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld, type WhatsAppWorldOptions } from '../support/whatsapp-gateway.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const refused = { reason: 'version_refused', until: null };

let world: WhatsAppWorld;
const start = async (options: WhatsAppWorldOptions = {}) => {
  world = await startWhatsAppWorld(options);
  return world;
};
const stored = async () => (await world.gateway.app.store.db.selectFrom('client_versions').selectAll().execute())[0];
/** The version of the latest login or attempt. */
const seen = () => world.server.builds.seen.at(-1);
const drop = (number: string) => world.server.faults.end(number, { kind: 'drop' });

describe.each(storeKinds)('the version that WhatsApp numbers connect as, on %s', (kind) => {
  afterEach(() => world?.close());

  it('is the one WhatsApp names, for all numbers and threads; a refused one is followed by a newer one at once [whatsapp.one-version]', async () => {
    const { server, customer, gateway } = await start({ store: kind, env: { WHATSAPP_WORKERS: '2' } });
    const { builds } = server;
    const first = builds.newest;
    const [one, two] = [world.somebody(), world.somebody()];
    const ids = [await world.linkedNumber(one.number), await world.linkedNumber(two.number)];
    expect(new Set(builds.seen)).toEqual(new Set([first]));
    expect(builds.reads).toBe(1);
    await waitFor(async () => expect(await stored()).toMatchObject({ fetched: first, accepted: first }));

    const next = first + 50_000;
    builds.publish(next);
    builds.refuseBelow(next);
    const logins = [one, two].map(({ number }) => server.record.logins(number));
    for (const phone of [one, two]) await drop(phone.number);
    await server.record.until(() => [one, two].every(({ number }, place) => server.record.logins(number) > (logins[place] ?? 0)));
    for (const id of ids) {
      await customer.reaches(id, 'open');
      expect(await world.get(id, 'status')).not.toHaveProperty('restriction');
    }
    expect(seen()).toBe(next);
    // Both were refused; the page was read once.
    expect(builds.reads).toBe(2);
    await waitFor(async () => expect(await stored()).toMatchObject({ fetched: next, accepted: next }));

    await gateway.restart();
    for (const id of ids) await customer.reaches(id, 'open');
    expect(seen()).toBe(next);
    expect(builds.reads).toBe(2);
  });
});

/** The limit of a request for the page. */
const pageMs = 10_000;

describe('the version of a gateway that runs on', () => {
  const clock = createManualClock(Date.now());
  let phone: Person;
  let id: string;
  beforeAll(async () => {
    world = await startWhatsAppWorld({ clock });
    phone = world.somebody();
    id = await world.linkedNumber(phone.number);
  });
  afterAll(() => world?.close());
  const reads = () => world.server.builds.reads;
  /** Lets time pass until the page was read once more, but none while it is asked for: the limit of a request is on the same clock. */
  const isLookedFor = (before: number) =>
    waitFor(async () => {
      for (let passed = 0; passed < hourMs && reads() === before && clock.pendingOf(pageMs) === 0; passed += pageMs / 2)
        await clock.advanceAsync(pageMs / 2);
      expect(reads()).toBeGreaterThan(before);
    });
  /** The number connects anew. */
  const reconnected = async () => {
    await drop(phone.number);
    await world.customer.reaches(id, 'connecting');
    await waitFor(async () => {
      await clock.advanceAsync(0);
      expect(await world.get(id, 'status')).toMatchObject({ status: 'open' });
    });
  };

  it('a pairing attempt that is refused goes on by itself with the newer version [whatsapp.one-version]', async () => {
    const { builds } = world.server;
    builds.publish(builds.newest + 70_000);
    builds.refuseBelow(builds.newest);
    await world.linkedNumber(world.somebody().number);
    expect(seen()).toBe(builds.newest);
  });

  it('a version that is refused while there is no newer one: shown, asked for once an hour, and over by itself [whatsapp.one-version]', async () => {
    const { builds } = world.server;
    await reconnected();
    const before = reads();
    builds.refuseBelow(builds.newest + 1);
    await drop(phone.number);
    await world.customer.reaches(id, 'connecting');
    await waitFor(async () => {
      await clock.advanceAsync(0);
      expect(await world.get(id, 'status')).toMatchObject({ status: 'connecting', restriction: refused });
    });
    expect(reads()).toBe(before + 1);
    const attempts = builds.seen.length;
    await clock.advanceAsync(hourMs - 1);
    expect(builds.seen).toHaveLength(attempts);
    expect(reads()).toBe(before + 1);

    builds.publish(builds.newest + 1);
    await waitFor(async () => {
      await clock.advanceAsync(1_000);
      expect(await world.get(id, 'status')).toMatchObject({ status: 'open' });
    });
    expect(await world.get(id, 'status')).not.toHaveProperty('restriction');
    expect(seen()).toBe(builds.newest);
  });

  it('a page that cannot be read when a version is refused is asked again after a minute, then at growing intervals [whatsapp.one-version]', async () => {
    const { builds } = world.server;
    await reconnected();
    builds.publish(builds.newest + 1);
    builds.refuseBelow(builds.newest);
    builds.page('fail');
    /** Lets time pass until the next attempt and its reading of the page, but none during the attempt. Resolves with the seconds. */
    const untilRead = async () => {
      const [before, began, attempts] = [reads(), clock.now(), builds.seen.length];
      await waitFor(async () => {
        if (builds.seen.length === attempts) await clock.advanceAsync(5_000);
        expect(reads()).toBe(before + 1);
      });
      return (clock.now() - began) / 1_000;
    };
    await drop(phone.number);
    await world.customer.reaches(id, 'connecting');
    await waitFor(async () => {
      await clock.advanceAsync(0);
      expect(await world.get(id, 'status')).toMatchObject({ restriction: refused });
    });
    expect(await untilRead()).toBeGreaterThan(50);
    expect(await untilRead()).toBeGreaterThan(110);
    builds.page('serve');
    expect(await untilRead()).toBeGreaterThan(230);
    await waitFor(async () => {
      await clock.advanceAsync(100);
      expect(await world.get(id, 'status')).toMatchObject({ status: 'open' });
    });
    expect(seen()).toBe(builds.newest);
  });

  it('is looked for once a day while the gateway runs, and used from the next connection on', async () => {
    const { builds } = world.server;
    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    const before = reads();
    builds.publish(builds.newest + 60_000);
    for (let hour = 1; hour < 24; hour++) await clock.advanceAsync(hourMs);
    expect(reads()).toBe(before);
    await isLookedFor(before);
    await waitFor(async () => expect(await stored()).toMatchObject({ fetched: builds.newest }));
    expect(reads()).toBe(before + 1);
    await reconnected();
    expect(seen()).toBe(builds.newest);
  });

  it.each([
    'fail',
    'hang',
    { text: 'Sign in to this network' },
    { text: '"client_revision":999' },
    { text: '"client_revision":99999999999' },
  ] as const)('a page that does not help (%j): the last good version is used, and the log says so [whatsapp.one-version]', async (does) => {
    const { builds } = world.server;
    const good = seen();
    const before = reads();
    const logged = world.logged().length;
    builds.publish(builds.newest + 10_000);
    builds.page(does);
    // After a day, and each hour after one that did not help.
    if (does === 'fail') for (let hour = 1; hour < 23; hour++) await clock.advanceAsync(hourMs);
    await isLookedFor(before);
    await clock.advanceAsync(10_000);
    await waitFor(() => expect(world.logged().slice(logged)).toMatch(/could not be read|impossible version; it is not used/));
    const attempts = builds.seen.length;
    await reconnected();
    expect(builds.seen.slice(attempts)).toEqual([good]);
  });

  it('a page that did not help changes nothing over a restart either', async () => {
    const good = seen();
    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    expect(seen()).toBe(good);
  });

  it('the end of a version is kept and warned of once it is announced, until it is withdrawn [whatsapp.version-age]', async () => {
    const { builds } = world.server;
    const ends = Math.floor(clock.now() / 1000) + 5 * 24 * 3600;
    builds.expire(ends);
    const expected = { expiring: seen(), expires_at: ends * 1000 };
    await waitFor(async () => expect(await stored()).toMatchObject(expected));
    expect(world.logged()).toContain(`WhatsApp will refuse this version from ${new Date(ends * 1000).toISOString()}`);
    builds.expire(null);
    await waitFor(async () => expect(await stored()).toMatchObject({ expiring: null, expires_at: null }));
    expect((await world.text(id, world.somebody().number)).status).toBe(200);
  });
});

describe('the version of a gateway', () => {
  afterEach(() => world?.close());

  it.each([
    [
      'WHATSAPP_VERSION is used, whatever the page says',
      { WHATSAPP_VERSION: `2.3000.${bundledVersion.revision + 7}` },
      bundledVersion.revision + 7,
    ],
    ['an empty WHATSAPP_VERSION_URL: nothing is fetched', { WHATSAPP_VERSION_URL: '' }, bundledVersion.revision],
  ])('%s [whatsapp.version]', async (_title, env, version) => {
    const { server } = await start({ env });
    await world.linkedNumber(world.somebody().number);
    expect(new Set(server.builds.seen)).toEqual(new Set([version]));
    expect(server.builds.reads).toBe(0);
  });

  it('without a WhatsApp number nothing is fetched', async () => {
    const clock = createManualClock(Date.now());
    const { server } = await start({ clock });
    await clock.advanceAsync(dayMs + hourMs);
    expect(server.builds.reads).toBe(0);
  });
});
