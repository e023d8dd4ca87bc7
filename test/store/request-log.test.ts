import { queryObjects } from 'node:v8';
import { expect, it } from 'vitest';
import { RequestLog } from '../../src/store/request-log.ts';
import { requestRecord } from '../support/request-log.ts';

/** How many arrays this process holds, after a collection of what nobody holds any more. */
const arrays = () => queryObjects(Array, { format: 'count' });

it('holds nothing of what it has written', async () => {
  let written = 0;
  const log = new RequestLog({
    async write() {
      written++;
    },
    lost: () => undefined,
  });
  const writeMany = async (writes: number) => {
    for (let write = 0; write < writes; write++) {
      log.add(requestRecord({ request_id: String(write), at: write }));
      await log.logged();
    }
  };
  await writeMany(100);
  const before = arrays();
  await writeMany(5_000);
  expect(arrays() - before).toBeLessThan(2_500);
  expect(written).toBe(5_100);
});
