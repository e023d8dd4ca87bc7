import { hostname } from 'node:os';
import type { Config } from '../config/index.ts';

/** Where the other servers reach this one, which listens at `address`: what the settings say, else that address, with the machine's name where it stands for all. */
export function nodeUrl({ nodeUrl: told, host }: Pick<Config, 'nodeUrl' | 'host'>, address: string): string {
  if (told !== null) return told;
  const url = new URL(address);
  if (host === '0.0.0.0' || host === '::') url.hostname = hostname();
  return url.origin;
}
