import { describe, expect, it } from 'vitest';
import { rounds, storeKinds } from '../support/run-options.ts';
import { createLoadClient } from './load-client.ts';
import { createGround } from './stores.ts';

const crashes = rounds({ short: 1, long: 3 });

describe.each(storeKinds)('two servers on one %s', (kind) => {
  it('the second refuses with one clear line, the first goes on, and after its crash the next starts at once [serve.same]', async () => {
    const ground = await createGround(kind);
    try {
      const first = ground.start();
      const client = createLoadClient(await first.ready);
      const second = ground.start();
      expect(await second.ended).toEqual({ code: 1, signal: null });
      const place = kind === 'sqlite' ? `${ground.env.DATA_DIR}` : new URL(ground.database.location).pathname;
      const whose = kind === 'sqlite' ? ` \\(process ${first.child.pid}\\)` : '';
      expect(second.stderr()).toMatch(new RegExp(`^gateway: another gateway server${whose} uses [^\\n]*${place}[^\\n]*\\n$`));
      expect(second.stdout()).toBe('');
      expect((await client.call({ method: 'GET', path: '/health' })).status).toBe(200);

      for (let crash = 0, server = first; crash < crashes; crash++) {
        await server.kill();
        server = ground.start();
        const next = createLoadClient(await server.ready);
        expect((await next.call({ method: 'GET', path: '/health' })).status).toBe(200);
        await next.close();
        if (crash === crashes - 1) expect(await server.terminate()).toEqual({ code: 0, signal: null });
      }
      await client.close();
    } finally {
      await ground.dispose();
    }
  });
});

// The embedded database is in the folder, which is held with it.
describe.each(storeKinds.filter((kind) => kind === 'postgres'))(
  'two servers on one data folder, each with its own database on %s',
  (kind) => {
    it('the second refuses with one clear line, and starts after the crash of the first', {
      timeout: 120_000,
    }, async () => {
      const [ground, other] = [await createGround(kind), await createGround(kind)];
      try {
        const sameFolder = { DATA_DIR: `${ground.env.DATA_DIR}` };
        const first = ground.start();
        await first.ready;
        const second = other.start(sameFolder);
        expect(await second.ended).toEqual({ code: 1, signal: null });
        expect(second.stderr()).toBe(
          `gateway: another gateway server (process ${first.child.pid}) uses the data folder ${ground.env.DATA_DIR}; stop it, or set DATA_DIR to another folder\n`,
        );
        await first.kill();
        const third = other.start(sameFolder);
        await third.ready;
        expect(await third.terminate()).toEqual({ code: 0, signal: null });
      } finally {
        await ground.dispose();
        await other.dispose();
      }
    });
  },
);
