import type { searchView } from '../../accounts/index.ts';

/**
 * GET /portal/api/search?q=: what has this name, as far as the person may see it, in all accounts that they may see. `q`: an id or its beginning,
 * a phone number, a message id, a key or its prefix, an e-mail address, or part of a name. At most five of each kind, newest first; `more`: there are
 * others. `account_id` of a person: one of the asker's own accounts to which they belong. `changes`: the ends of what was called so or had a word that
 * begins so, for those who see the audit log of it.
 */
export type SearchView = ReturnType<typeof searchView>;
