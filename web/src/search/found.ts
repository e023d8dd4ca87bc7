import {
  IconActivity,
  IconBuildingStore,
  IconDeviceMobile,
  IconHistory,
  IconKey,
  IconPalette,
  IconUser,
  IconUserShield,
  IconUsers,
} from '@tabler/icons-react';
import type { SearchView } from '../../../src/portal/wire/search.ts';
import type { PortalSession } from '../../../src/portal/wire/session.ts';
import { filled } from '../language/filled.ts';
import { t } from '../language/language.ts';
import { sentenceOf } from '../parts/audit/sentence.ts';
import { kindName } from '../parts/kind.tsx';
import { nameOf } from '../parts/number-words.ts';
import { shownNumber } from '../parts/phone-number.ts';
import { shownMoment } from '../parts/shown-moment.ts';
import { rolesOf } from '../session/session.ts';
import type { Choice } from './choice.ts';

/** Choices of one kind under their title. */
export interface ChoiceGroup {
  readonly title: string;
  readonly choices: readonly Choice[];
}

/** What was found, as choices that lead to the page of each object. */
export function foundGroups(found: SearchView, session: PortalSession): readonly ChoiceGroup[] {
  const { operator, providerAdmin } = rolesOf(session);
  const administers = operator || providerAdmin;
  const groups: readonly ChoiceGroup[] = [
    {
      title: t('Accounts'),
      choices: found.accounts.items.flatMap(({ account_id, name, provider_name }): Choice[] =>
        administers
          ? [
              {
                id: account_id,
                label: name,
                description: provider_name,
                icon: IconUsers,
                href: `/operator/accounts/${account_id}`,
                object: true,
              },
              {
                id: `act ${account_id}`,
                label: t('Act for {{name}}', { name }),
                icon: IconUserShield,
                href: '/numbers',
                accountId: account_id,
              },
            ]
          : [{ id: account_id, label: name, icon: IconUsers, href: '/account', accountId: account_id, object: true }],
      ),
    },
    {
      title: t('Numbers'),
      choices: found.numbers.items.map((number): Choice => {
        const { instance_id, label, phone_number, account_id, account_name } = number;
        const description = [label === null ? null : shownNumber(phone_number), account_name].filter((part) => part !== null).join(' · ');
        const common = { id: instance_id, label: nameOf(number), description, icon: IconDeviceMobile, object: true } as const;
        return administers
          ? { ...common, href: `/operator/numbers/${instance_id}` }
          : { ...common, href: `/numbers/${instance_id}`, accountId: account_id };
      }),
    },
    {
      title: t('Requests'),
      choices: found.requests.items.map((request): Choice => {
        const { request_id, at, message_type, recipient, code, account_id, account_name } = request;
        const what = message_type === null ? `${request.method} ${request.path}` : kindName(message_type);
        const label =
          recipient === null ? what : t('{{kind}} to {{recipient}}', { kind: what, recipient: shownNumber(recipient) ?? recipient });
        const description = [shownMoment(at), code, account_name].filter((part) => part !== null).join(' · ');
        const common = { id: request_id, label, description, icon: IconActivity } as const;
        return account_id === null ? common : { ...common, href: `/activity/${request_id}`, accountId: account_id, object: true };
      }),
    },
    {
      title: t('API keys'),
      choices: found.keys.items.map(({ key_id, prefix, label, revoked, account_id, account_name }) => ({
        id: key_id,
        label: label ?? prefix,
        description: [prefix, revoked ? t('revoked') : null, account_name].filter((part) => part !== null).join(' · '),
        icon: IconKey,
        href: `/keys/${key_id}`,
        accountId: account_id,
        object: true,
      })),
    },
    {
      title: t('People'),
      choices: found.people.items.map(({ user_id, name, email, account_id }): Choice => {
        const common = { id: user_id, label: name, description: email, icon: IconUser, object: true } as const;
        if (administers) return { ...common, href: `/operator/users/${user_id}` };
        return { ...common, href: `/account/members/${user_id}`, ...(account_id === null ? {} : { accountId: account_id }) };
      }),
    },
    {
      title: t('Providers'),
      choices: found.providers.items.flatMap(({ provider_id, name }): Choice[] => {
        const href = `/operator/providers/${provider_id}`;
        return [
          { id: provider_id, label: name, icon: IconBuildingStore, href, object: true },
          { id: `brand ${provider_id}`, label: t('Brand of {{name}}', { name }), icon: IconPalette, href: `${href}/brand` },
        ];
      }),
    },
    {
      title: t('Deleted'),
      choices: found.changes.items.map((entry): Choice => {
        const { audit_id, at, account_id, account_name } = entry;
        const { text, who, target } = sentenceOf(entry);
        const log = `name=${encodeURIComponent(target ?? '')}`;
        return {
          id: `change ${audit_id}`,
          label: filled(text, { who, target: target ?? '' }).join(''),
          description: [shownMoment(at), account_name].filter((part) => part !== null).join(' · '),
          icon: IconHistory,
          ...(administers || account_id === null
            ? { href: `/operator/audit?${log}` }
            : { href: `/account?part=changes&${log}`, accountId: account_id }),
        };
      }),
    },
  ];
  return groups.filter(({ choices }) => choices.length > 0);
}
