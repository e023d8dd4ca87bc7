import type { Config } from '../config/index.ts';
import { createMail, type Mail } from '../portal/index.ts';

/** The mail server the settings name; null: none. */
export function openMail(config: Config, options: Parameters<typeof createMail>[1]): Mail | null {
  return config.mail === null ? null : createMail(config.mail, options);
}
