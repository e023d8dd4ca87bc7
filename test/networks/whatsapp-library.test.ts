import { createRequire } from 'node:module';
import { addTransactionCapability, DEFAULT_CONNECTION_CONFIG, initAuthCreds } from 'baileys';
import { expect, it } from 'vitest';
import { createLibraryLog } from '../../src/networks/whatsapp/worker/library/library-log.ts';
import { boundLidCache } from '../../src/networks/whatsapp/worker/library/lid-cache.ts';

// worker/library reaches into private parts of these versions. Look at each of its files before you change a version here.
it('the libraries have the versions whose private parts are used', () => {
  const require = createRequire(import.meta.url);
  expect(require('baileys/package.json')).toMatchObject({ version: '7.0.0-rc14' });
  expect(require('libsignal/package.json')).toMatchObject({ version: '6.0.0' });
});

// Of Baileys 7.0.0-rc14: `mappingCache`, private by its type.
it("the bounded cache takes the place of Baileys' cache of LIDs, and Baileys reads and writes it", async () => {
  const log = createLibraryLog(() => undefined, 'an instance');
  const store = { get: async () => ({}), set: async () => undefined };
  const keys = addTransactionCapability(store, log, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
  const make = DEFAULT_CONNECTION_CONFIG.makeSignalRepository;
  const own = make({ creds: initAuthCreds(), keys }, log, async () => []).lidMapping as unknown as { mappingCache: object };
  expect(own.mappingCache).toMatchObject({ get: expect.any(Function), set: expect.any(Function), clear: expect.any(Function) });

  const { lidMapping } = boundLidCache(make)({ creds: initAuthCreds(), keys }, log, async () => []);
  await lidMapping.storeLIDPNMappings([{ pn: '491701234567@s.whatsapp.net', lid: '99123@lid' }]);
  expect(await lidMapping.getLIDForPN('491701234567@s.whatsapp.net')).toBe('99123@lid');
  const { mappingCache } = lidMapping as unknown as { mappingCache: Map<string, string> };
  expect([...mappingCache.keys()].sort()).toEqual(['lid:99123', 'pn:491701234567']);
  lidMapping.close();
  expect(mappingCache.size).toBe(0);
});
