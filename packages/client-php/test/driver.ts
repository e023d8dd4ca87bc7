import { fileURLToPath } from 'node:url';
import { type Driver, startDriver } from '../../client/test/suite/driver.ts';

const program = fileURLToPath(new URL('driver.php', import.meta.url));

export const start = (): Driver => startDriver('php', program);

/** One that trusts this certificate. */
export const startTrusting = (certificateFile: string): Driver => startDriver('php', '-d', `curl.cainfo=${certificateFile}`, program);
