import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Files with one import each, and the beginning of what lint says of it. */
const imports: readonly (readonly [file: string, statement: string, refusal?: string])[] = [
  ['src/core/upwards.ts', "import { openStore } from '../store/index.ts';", 'The room core may not import this room'],
  ['src/kinds/aside.ts', "import { createHealth } from '../health/index.ts';", 'The room kinds may not import this room'],
  ['src/accounts/inside.ts', "import { migrate } from '../store/migrate.ts';", 'A room is imported through its index.ts only'],
  ['src/accounts/downwards.ts', "import { openStore } from '../store/index.ts';"],
  ['src/accounts/sql.ts', "import { sql } from 'kysely';", 'SQL lives in store/'],
  ['src/accounts/queries.ts', "import { sql } from 'kysely';"],
  ['src/people/queries/users.ts', "import { sql } from 'kysely';"],
  ['src/networks/sandbox/store.ts', "import { openStore } from '../../store/index.ts';"],
  ['src/coordination/peers.ts', "import { Redis } from 'ioredis';", 'This library belongs to other rooms than coordination'],
  ['src/coordination/redis/client.ts', "import { Redis } from 'ioredis';"],
  ['src/networks/whatsapp/library.ts', "import socket from 'baileys';", 'This library belongs to other rooms than networks'],
  ['src/networks/whatsapp/worker/library.ts', "import socket from 'baileys';"],
  ['src/networks/whatsapp/worker/sending/cipher.ts', "import { SessionCipher } from 'libsignal';", 'This library belongs to other rooms'],
  ['src/networks/whatsapp/worker/library/cipher.ts', "import { SessionCipher } from 'libsignal';"],
  ['src/networks/whatsapp/worker/library/keys.ts', "import type { Link } from '../lifecycle/link.ts';", 'Within the room dependencies'],
  ['src/networks/whatsapp/worker/sending/send.ts', "import type { Link } from '../lifecycle/link.ts';", 'Within the room dependencies'],
  ['src/networks/whatsapp/worker/lifecycle/link.ts', "import { createSending } from '../sending/sending.ts';"],
  [
    'src/networks/whatsapp/network.ts',
    "import { startWhatsAppServer } from 'whatsapp-test-server';",
    'This library belongs to other rooms',
  ],
  [
    'test/networks/by-path.ts',
    "import { startWhatsAppServer } from '../../packages/whatsapp-server/src/index.ts';",
    'A package is imported by',
  ],
  ['test/networks/by-name.ts', "import { startWhatsAppServer } from 'whatsapp-test-server';"],
  [
    'packages/whatsapp-server/src/outwards.ts',
    "import { systemClock } from '../../../src/core/index.ts';",
    'A package imports nothing outside',
  ],
  ['packages/whatsapp-server/test/own.test.ts', "import { startWhatsAppServer } from '../src/index.ts';"],
];

it('lint refuses imports between rooms that the table of rooms does not have', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-rooms-'));
  try {
    copyFileSync(join(root, 'biome.rooms.json'), join(folder, 'biome.json'));
    for (const [file, statement] of imports) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `${statement}\n`);
    }
    const words = ['lint', '--only=style/noRestrictedImports', '--reporter=github'];
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/biome'), words, { cwd: folder, encoding: 'utf8' });
    const said = stdout.split('::error ');
    for (const [file, , refusal] of imports) {
      const about = said.filter((one) => one.includes(`/${file},`));
      expect(about, file).toEqual(refusal === undefined ? [] : [expect.stringContaining(refusal)]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
