import type { MessageType } from '../../kinds/index.ts';
import type { AuditEntry } from './operator.ts';

/** Some of what was found; `more`: there are others. */
export interface FoundGroup<Item> {
  readonly items: readonly Item[];
  readonly more: boolean;
}

/**
 * GET /portal/api/search?q=: what has this name, as far as the person may see it, in all accounts that they may see. `q`: an id or its beginning,
 * a phone number, a message id, a key or its prefix, an e-mail address, or part of a name. At most five of each kind, newest first.
 */
export interface SearchView {
  readonly requests: FoundGroup<{
    readonly request_id: string;
    readonly at: string;
    readonly status: number;
    readonly code: string | null;
    readonly method: string;
    readonly path: string;
    readonly message_type: MessageType | null;
    readonly recipient: string | null;
    readonly account_id: string | null;
    readonly account_name: string | null;
  }>;
  readonly numbers: FoundGroup<{
    readonly instance_id: string;
    readonly label: string | null;
    readonly phone_number: string | null;
    readonly network: string;
    readonly account_id: string;
    readonly account_name: string;
  }>;
  readonly accounts: FoundGroup<{
    readonly account_id: string;
    readonly name: string;
    readonly status: 'active' | 'suspended';
    readonly provider_name: string;
  }>;
  readonly keys: FoundGroup<{
    readonly key_id: string;
    readonly prefix: string;
    readonly label: string | null;
    readonly revoked: boolean;
    readonly account_id: string;
    readonly account_name: string;
  }>;
  readonly people: FoundGroup<{
    readonly user_id: string;
    readonly name: string;
    readonly email: string;
    /** One of the asker's own accounts to which they belong; null: there is none. */
    readonly account_id: string | null;
  }>;
  readonly providers: FoundGroup<{ readonly provider_id: string; readonly name: string }>;
  /** The ends of what was called so or had a word that begins so, for those who see the audit log of it. */
  readonly changes: FoundGroup<AuditEntry>;
}
