import { administered } from '../../people/index.ts';
import { actingFor, type Visitor } from '../person.ts';

/** What a person's stream shows. */
export interface Outlook {
  /** Differs when something else is to be seen. */
  readonly name: string;
  /** The id of one account, with everything that happens there; `all`: the numbers of many. */
  readonly scope: string;
  /** Whose accounts of `all`; null: everybody's. */
  readonly providers: ReadonlySet<string> | null;
}

/** What the visitor may follow: the account they act for, or as operator or provider admin the numbers of all theirs. Throws forbidden. */
export function outlookOf(visitor: Visitor): Outlook {
  const { acting, places } = visitor;
  if (acting === null) {
    if (places.some(({ role }) => role === 'operator')) return { name: 'all', scope: 'all', providers: null };
    const providers = administered(places);
    if (providers.length > 0) return { name: providers.join('+'), scope: 'all', providers: new Set(providers) };
  }
  const { accountId } = actingFor({ visitor });
  return { name: accountId, scope: accountId, providers: null };
}
