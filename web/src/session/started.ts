import type { PortalStart } from '../../../src/portal/wire/home.ts';
import type { Language } from '../../../src/portal/wire/session.ts';

/** What the first page needs, and the account it was asked for; `signed-out`: nobody is signed in; null: it is asked for in the usual way. */
type Started = { readonly account: string | null; readonly answer: PortalStart } | 'signed-out' | null;

/** Set by the first script. */
export const started: { current: Promise<Started> } = { current: Promise.resolve(null) };

/** The pages have more patience; whoever waits for longer is not helped by this. */
const patienceMs = 10_000;

/** Asks for what the page of this address needs, while the scripts of the pages are still on their way. */
export async function askAhead(language: Language): Promise<Started> {
  // Before the sign-in there is nothing to ask for.
  if (document.documentElement.dataset.entry !== undefined) return null;
  const account = new URLSearchParams(location.search).get('account') ?? sessionStorage.getItem('acting-account');
  try {
    const response = await fetch(`/portal/api/start${location.pathname === '/' ? '?home=true' : ''}`, {
      headers: { 'x-portal': '1', 'accept-language': language, ...(account === null ? {} : { 'x-account-id': account }) },
      signal: AbortSignal.timeout(patienceMs),
    });
    if (response.status === 401) return 'signed-out';
    const envelope: { readonly success: boolean; readonly data: PortalStart } = await response.json();
    return envelope.success ? { account, answer: envelope.data } : null;
  } catch {
    return null;
  }
}
