import { type Language, storedLanguage } from '../language/index.ts';
import type { Db } from '../store/index.ts';
import { selectLanguage, selectLanguageAt, updateLanguage } from './queries/users.ts';

/** The language that a person chose; null: none yet. */
export async function languageOf(db: Db, userId: string): Promise<Language | null> {
  return storedLanguage(await selectLanguage(db, userId));
}

/** The language of the person who has this address, if known. */
export async function languageAt(db: Db, email: string): Promise<Language | null> {
  return storedLanguage(await selectLanguageAt(db, email.toLowerCase()));
}

/** Notes a person's choice; null takes it back. */
export async function chooseLanguage(db: Db, userId: string, language: Language | null): Promise<void> {
  await updateLanguage(db, userId, language);
}
