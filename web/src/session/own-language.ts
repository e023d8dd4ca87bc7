import type { Language, PortalSession } from '../../../src/portal/wire/session.ts';
import { call } from '../api/client.ts';
import { choiceBeforeSignIn, speakFromNowOn } from '../language/choice.ts';

/** Keeps the choice with the person, so that their other browsers and their mails have it too, and speaks the language. */
export async function chooseLanguage(language: Language): Promise<void> {
  await call('PUT /portal/api/language', { body: { language } });
  speakFromNowOn(language);
}

/** Whose choice has been followed: later ones are made on these pages, or must not take from somebody what they are writing. */
let followed: string | null = null;

/**
 * Speaks the language that the person chose, once: what they chose just before they signed in counts last. Never returns when the page is
 * loaded anew for it, at `href`.
 */
export async function followLanguage({ user }: PortalSession, href: string): Promise<void> {
  if (followed === user.user_id) return;
  followed = user.user_id;
  const chosen = choiceBeforeSignIn();
  // A choice that cannot be kept now is still this browser's.
  if (chosen !== null) await call('PUT /portal/api/language', { body: { language: chosen } }).catch(() => undefined);
  const language = chosen ?? user.language;
  if (language !== null && speakFromNowOn(language, href)) await new Promise(() => undefined);
}
