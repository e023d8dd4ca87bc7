import type { UserDetail } from '../../../../../src/portal/wire/operator.ts';
import { shownCount, t } from '../../../language/language.ts';
import { languageNames } from '../../../language/languages.ts';
import { FactPanels } from '../../../parts/facts.tsx';
import { Moment } from '../../../parts/moment.tsx';
import { ShownId } from '../../../parts/shown-id.tsx';
import { Ago } from '../../../parts/time/ago.tsx';

/** How somebody signs in, and when they did. */
export function UserFacts({ user }: { readonly user: UserDetail }) {
  const { user_id, email, email_verified, two_factor, language, last_seen_at, browsers, created_at } = user;
  return (
    <FactPanels
      panels={[
        [
          [t('E-mail address'), <ShownId key="email" id={email} label={t('e-mail address')} />],
          [t('Address verified'), email_verified ? t('Yes, by a link mailed to it') : t('No')],
          [t('Two-factor'), two_factor ? t('On') : t('Off')],
          [t('Language'), <SpokenLanguage key="language" language={language} />],
        ],
        [
          [t('Last seen'), <Ago key="seen" at={last_seen_at} none={t('Not signed in')} size="sm" />],
          [t('Signed-in browsers'), shownCount(browsers)],
          [t('Joined'), <Moment key="joined" at={created_at} size="sm" />],
          [t('User ID'), <ShownId key="id" id={user_id} label={t('user ID')} />],
        ],
      ]}
    />
  );
}

function SpokenLanguage({ language }: Pick<UserDetail, 'language'>) {
  return language === null ? t("The browser's") : <span lang={language}>{languageNames[language]}</span>;
}
