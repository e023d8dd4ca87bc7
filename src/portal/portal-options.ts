import type { Brands } from '../branding/index.ts';
import type { RateLimiter } from '../coordination/index.ts';
import type { Log, Vault } from '../core/index.ts';
import type { Health } from '../health/index.ts';
import type { RouteOptions } from '../http/index.ts';
import type { Languages } from '../language/index.ts';
import type { AddressGuard, LogoMaker } from '../media/index.ts';
import type { FailedSignIns, SeenSessions } from '../people/index.ts';
import type { Mail } from './mail.ts';
import type { SignIn } from './sign-in/sign-in.ts';

/** What the portal's endpoints may use. */
export interface PortalOptions extends RouteOptions {
  readonly signIn: SignIn;
  readonly languages: Languages;
  readonly limiter: RateLimiter;
  /** Opens what the store keeps sealed. */
  readonly vault: Vault;
  /** null without SMTP settings: links are shown instead of mailed. */
  readonly mail: Mail | null;
  /** Judges the addresses of webhooks. */
  readonly guard: Pick<AddressGuard, 'check'>;
  /** Where browsers reach the portal, when the settings say so. */
  readonly publicUrl: string | null;
  /** How providers show themselves. */
  readonly brands: Brands;
  readonly logos: Pick<LogoMaker, 'make'>;
  /** The WhatsApp version that the settings fix; null: none. */
  readonly whatsappVersion: number | null;
  readonly failedSignIns: FailedSignIns;
  readonly seenSessions: Pick<SeenSessions, 'note'>;
  readonly health: Pick<Health, 'read'>;
  /** The folder of this process's files. */
  readonly dataDir: string;
  readonly log: Pick<Log, 'error'>;
}
