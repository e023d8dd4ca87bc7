export { type Config, readConfig } from './config.ts';
export { settings } from './env.ts';
export { sharedSettings } from './shared-settings.ts';
