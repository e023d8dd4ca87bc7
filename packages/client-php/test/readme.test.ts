import { fileURLToPath } from 'node:url';
import { readmeSuite } from '../../client/test/suite/readme-suite.ts';
import { start } from './driver.ts';

readmeSuite({
  ...{ folder: fileURLToPath(new URL('..', import.meta.url)), library: 'MessagingGateway.php', mark: 'php', start },
  run: (file) => ['php', file],
  serve: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file],
});
