import { fileURLToPath } from 'node:url';
import { readmeSuite } from '../../client/test/suite/readme-suite.ts';
import { start } from './driver.ts';

readmeSuite({
  ...{ folder: fileURLToPath(new URL('..', import.meta.url)), library: 'messaging_gateway.py', mark: 'python', start },
  run: (file) => ['python3', file],
  serve: (file) => ['python3', file],
});
