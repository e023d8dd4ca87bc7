import { readFileSync } from 'node:fs';

/** The program's version, from package.json, which lies one folder above src/ and dist/ alike. */
export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
