import type { Log } from '../core/index.ts';
import type { Config } from './config.ts';

type Settings = Readonly<Record<string, string>>;

/** Settings in which servers of one database must not differ, and what would happen. Other differences are logged. */
const harms: Readonly<Record<string, string>> = {
  NETWORKS: 'the same request would be answered differently by each of them',
  RETRY_KEEP_HOURS: 'the one with fewer hours would delete what the others keep',
  IDEMPOTENCY: 'a retry at the one without it would send the message again',
};

/**
 * Compares this server's settings with those of others on the same database; `schema` is the newest migration that this program knows.
 * `refusal` names in one line, with both values, the difference that would do harm.
 */
export function sharedSettings(config: Config, schema: string, log: Pick<Log, 'warn'>) {
  const settings: Settings = {
    NETWORKS: config.networks.join(','),
    RETRY_KEEP_HOURS: String(config.whatsapp.retryKeepHours),
    IDEMPOTENCY: config.idempotency ? 'on' : 'off',
    COMPATIBILITY: config.compatibility ?? 'off',
    DATABASE_DURABILITY: config.durability,
    schema,
  };
  return {
    settings,
    refusal(others: readonly { readonly name: string; readonly settings: Settings }[]): string | null {
      for (const other of others) {
        for (const [setting, here] of Object.entries(settings)) {
          // A server of an earlier release may not have it.
          const there = other.settings[setting] ?? here;
          if (there === here) continue;
          const harm = harms[setting];
          if (harm !== undefined) {
            return `${setting} is ${here} here and ${there} at the server ${other.name}, which uses the same database: ${harm}; give every server the same value, and stop all of them to change it`;
          }
          log.warn({ setting, here, there, server: other.name }, 'a setting differs from that of another server');
        }
      }
      return null;
    },
  };
}
