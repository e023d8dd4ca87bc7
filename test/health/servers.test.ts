import { expect, it } from 'vitest';
import { servers, translated } from '../../src/health/index.ts';
import { createLanguages } from '../../src/language/index.ts';

const other = { id: 'b', name: 'machine-b:1', address: 'http://10.0.0.8:3000' };

it('says nothing of other servers where there are none', async () => {
  expect(await servers(null)).toEqual([]);
  expect(await servers({ others: async () => [], reach: async () => undefined })).toEqual([]);
});

it('names a server that does not answer at its address, and what to set', async () => {
  const reach = () => Promise.reject(new Error('nothing answers'));
  const found = await servers({ others: async () => [other], reach });
  expect(found.map((finding) => translated(finding, createLanguages()('en')))).toMatchObject([
    {
      state: 'fail',
      message: 'machine-b:1 cannot be reached from here at http://10.0.0.8:3000: nothing answers; requests for its numbers fail here',
      mend: expect.stringContaining('NODE_URL'),
    },
  ]);
  expect(await servers({ others: async () => [other], reach: async () => undefined })).toMatchObject([{ state: 'ok' }]);
});
