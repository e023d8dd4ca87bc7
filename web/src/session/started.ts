import type { PortalStart } from '../../../src/portal/wire/home.ts';
import type { Language, PortalSession } from '../../../src/portal/wire/session.ts';
import { accountId } from '../routes/search.ts';

/** The lists of administrators that have a page of the same name. */
const lists = ['accounts', 'numbers', 'users', 'audit', 'providers'] as const;
type ListName = (typeof lists)[number];

/** What the first page needs; `signed-out`: nobody is signed in; null: it is asked for in the usual way. */
type Started =
  | {
      readonly answer: PortalStart;
      /** The list that the page shows, where nothing narrows it; its answer is null where it must be asked for in the usual way. */
      readonly list: { readonly name: ListName; readonly answer: Promise<object | null> } | null;
    }
  | 'signed-out'
  | null;

/** Set by the first script. */
export const started: { current: Promise<Started> } = { current: Promise.resolve(null) };

/** The pages have more patience; whoever waits for longer is not helped by this. */
const patienceMs = 10_000;

/** Asks for what the page of this address needs, while the scripts of the pages are still on their way. */
export async function askAhead(language: Language): Promise<Started> {
  // Before the sign-in there is nothing to ask for.
  if (document.documentElement.dataset.entry !== undefined) return null;
  const search = new URLSearchParams(location.search);
  const account = accountId(search.get('account')) ?? sessionStorage.getItem('acting-account');
  const ask = (path: string) =>
    fetch(`/portal/api/${path}`, {
      headers: { 'x-portal': '1', 'accept-language': language, ...(account === null ? {} : { 'x-account-id': account }) },
      signal: AbortSignal.timeout(patienceMs),
    });
  try {
    const response = await ask(`start${location.pathname === '/' ? '?home=true' : ''}`);
    if (response.status === 401) return 'signed-out';
    const answer = await dataOf<PortalStart>(response);
    return { answer, list: listAhead(answer.session, search, ask) };
  } catch {
    return null;
  }
}

/** Asks for the list of this page, if the person may see it and the address says nothing more of it. */
function listAhead({ memberships }: PortalSession, search: URLSearchParams, ask: (path: string) => Promise<Response>) {
  const name = lists.find((one) => location.pathname === `/operator/${one}`);
  const may = memberships.some(({ role }) => role === 'operator' || (role === 'provider_admin' && name !== 'providers'));
  search.delete('account');
  if (name === undefined || !may || search.size > 0) return null;
  const answer = ask(`operator/${name}`)
    .then((response) => dataOf<object>(response))
    .catch(() => null);
  return { name, answer };
}

async function dataOf<Data>(response: Response): Promise<Data> {
  const envelope: { readonly success: boolean; readonly data: Data } = await response.json();
  if (!envelope.success) throw new Error('it was refused');
  return envelope.data;
}
