// A gateway of the release after this one, whose schema has grown, in a process of its own.

import { once } from 'node:events';
import { startApp } from '../../src/app/start.ts';
import { readConfig } from '../../src/config/index.ts';
import { nextRelease } from '../store/other-releases.ts';

const app = await startApp(readConfig(process.env), { schemaChanges: (dialect) => nextRelease(dialect, { additive: true }) });
process.stdout.write(`The gateway is running at ${app.address}\n`);
await once(process, 'SIGTERM');
process.exitCode = (await app.stop()) ? 0 : 1;
