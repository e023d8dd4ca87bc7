import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';

/** How much of `src` each operation runs (`npm run path`). These numbers only fall, and whoever makes them fall writes the lower ones here. */
const known = {
  sandbox: { files: 58, functions: 158 },
  whatsapp: { files: 98, functions: 356 },
  servers: { files: 72, functions: 214 },
  pairing: { files: 158, functions: 720 },
};
/** By how much fewer they may be before they have to be written here. */
const slack = { files: 3, functions: 10 };

it.each(Object.entries(known))('%s runs no more files and functions than are known', async (operation, most) => {
  const program = ['--import', './scripts/path/worker-sources.ts', 'scripts/path.ts', '--json', operation];
  const env = { ...process.env, TEST_DATABASE_URL: inject('postgres').url };
  const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: join(import.meta.dirname, '..'), env });
  const ran: typeof most = JSON.parse(stdout)[operation];
  const message = `${operation}: ${ran.files} files and ${ran.functions} functions ran; ${most.files} and ${most.functions} are known here`;
  expect(ran.files <= most.files && ran.functions <= most.functions, message).toBe(true);
  expect(ran.files >= most.files - slack.files && ran.functions >= most.functions - slack.functions, message).toBe(true);
});
