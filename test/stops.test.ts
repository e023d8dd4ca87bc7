import { expect, it } from 'vitest';
import { ShutdownSteps } from '../src/app/stop.ts';

it('runs every step, newest first, also when one throws before it has begun, fails or never ends', async () => {
  const ran: string[] = [];
  const failures: string[] = [];
  const stops = new ShutdownSteps({ error: ({ err }: { err?: unknown }) => void failures.push(`${err}`) }, 1);
  stops.add(async () => ran.push('store'));
  stops.add(() => {
    throw new Error('thrown at once');
  });
  stops.add(() => Promise.reject(new Error('failed')));
  stops.add(() => new Promise(() => undefined));
  stops.add(async () => ran.push('server'));
  expect(await stops.run()).toBe(false);
  expect(ran).toEqual(['server', 'store']);
  expect(failures).toEqual(['Error: it took longer than 1 ms', 'Error: failed', 'Error: thrown at once']);
});
