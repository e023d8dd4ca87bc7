import { setImmediate } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import { expect, it } from 'vitest';
import { TickShape } from '../src/tick-shape.ts';

v8.setFlagsFromString('--expose-gc');
v8.setFlagsFromString('--allow-natives-syntax');
const collect: () => void = vm.runInNewContext('gc');
const haveSameShape: (one: object, other: object) => boolean = vm.runInThisContext('(one, other) => %HaveSameMap(one, other)');

it('new tick objects keep the shape of the kept one, however often the whole heap is collected', async () => {
  const first = new TickShape();
  await setImmediate();
  for (let count = 0; count < 6; count++) {
    await setImmediate();
    collect();
  }
  const later = new TickShape();
  await setImmediate();
  const [one, other] = [first.kept, later.kept];
  if (one === null || other === null) throw new Error('no tick object was kept');
  // A tick object and nothing else: Node's field of it.
  expect(one).toHaveProperty('callback');
  expect(one).not.toBe(other);
  expect(haveSameShape(one, other)).toBe(true);
  first.release();
  expect(first.kept).toBeNull();
});
