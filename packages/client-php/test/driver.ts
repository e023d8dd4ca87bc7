import { fileURLToPath } from 'node:url';
import { type Driver, startDriver } from '../../client/test/suite/driver.ts';

export const start = (): Driver => startDriver('php', fileURLToPath(new URL('driver.php', import.meta.url)));
