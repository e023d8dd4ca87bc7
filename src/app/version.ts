import { readFileSync } from 'node:fs';
import { programFile } from '../core/index.ts';

/** The program's version, from package.json, which lies beside the folder of the built program. */
export const version: string = JSON.parse(readFileSync(programFile('../package.json'), 'utf8')).version;
