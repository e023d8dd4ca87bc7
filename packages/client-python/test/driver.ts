import { fileURLToPath } from 'node:url';
import { type Driver, startDriver } from '../../client/test/suite/driver.ts';

export const start = (): Driver => startDriver('python3', fileURLToPath(new URL('driver.py', import.meta.url)));
