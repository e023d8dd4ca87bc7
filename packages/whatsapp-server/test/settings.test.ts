import { decodePatches, decodeSyncdSnapshot, newLTHashState, proto } from 'baileys';
import { expect, it } from 'vitest';
import { createSettings, Settings } from '../src/settings.ts';
import { createWorld, jid } from './world.ts';

const world = createWorld();

it('settings are as Baileys reads them, with every MAC verified: change by change and as a snapshot', async () => {
  const settings = new Settings();
  for (const salt of [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]) settings.changeSalt(salt);
  settings.changeSalt(null);
  settings.changeSalt(Buffer.alloc(32, 3));
  const { changed, whole, complaints } = await readByBaileys('regular_high', settings);
  expect(complaints).toEqual([]);
  expect(changed.state).toMatchObject({ version: 5, hash: whole.state.hash });
  expect(Object.keys(whole.mutationMap)).toEqual(['["a_setting_of_the_phone"]', '["nct_salt_sync"]']);
});

it('so is the name in its collection', async () => {
  const { critical_block: settings } = createSettings();
  for (const name of ['Ada', 'Grace']) settings.changeName(name);
  const { changed, whole, complaints } = await readByBaileys('critical_block', settings);
  expect(complaints).toEqual([]);
  expect(changed.state).toMatchObject({ version: 3, hash: whole.state.hash });
  expect(whole.mutationMap['["setting_pushName"]']?.syncAction.value?.pushNameSetting?.name).toBe('Grace');
});

async function readByBaileys(collection: 'regular_high' | 'critical_block', settings: Settings) {
  const complaints: string[] = [];
  const log = {
    ...console,
    level: 'warn',
    child: () => log,
    trace() {},
    debug() {},
    info() {},
    error() {},
    warn: (_: unknown, message?: string) => complaints.push(message ?? ''),
  };
  const sent = settings.patchesAfter(0).map((patch) => proto.SyncdPatch.decode(proto.SyncdPatch.encode(patch).finish()));
  const changed = await decodePatches(collection, sent, newLTHashState(), settings.key, {}, undefined, log, true);
  const snapshot = proto.SyncdSnapshot.decode(proto.SyncdSnapshot.encode(settings.snapshot()).finish());
  const whole = await decodeSyncdSnapshot(collection, snapshot, settings.key, undefined, true, log);
  return { changed, whole, complaints };
}

it.each(['tctoken', 'cstoken'])('refuses a %s that a message to the own phone brings', async (tag) => {
  const own = world.number();
  const { client } = await world.link(own);
  const send = async (id: string, content: { tag: string; attrs: Record<string, string>; content?: Buffer }[]) => {
    await client.sock.sendNode({ tag: 'message', attrs: { id, to: jid(own), type: 'text', category: 'peer' }, content });
    return (await client.acked(id)).error;
  };
  expect(await send('3EB0PEER1', [])).toBeUndefined();
  expect(await send('3EB0PEER2', [{ tag, attrs: {}, content: Buffer.alloc(32) }])).toBe('479');
});
