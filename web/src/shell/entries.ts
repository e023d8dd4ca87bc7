import {
  IconActivity,
  IconBell,
  IconBuildingStore,
  IconChartBar,
  IconDeviceMobile,
  IconDeviceMobileMessage,
  IconHeartbeat,
  IconHistory,
  IconHome,
  IconId,
  IconKey,
  IconListNumbers,
  IconPackages,
  IconPalette,
  IconSend,
  IconUserCog,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { PortalSession } from '../../../src/portal/wire/session.ts';
import { t } from '../language/language.ts';
import { ownProviders, rolesOf } from '../session/session.ts';

/** A page that the navigation leads to. */
export interface Entry {
  readonly to: string;
  readonly label: string;
  readonly icon: ComponentType<{ size: number; 'aria-hidden': true }>;
  /** The path above it whose pages it stands for too. */
  readonly within?: string;
}

const home: Entry = { to: '/', label: t('Home'), icon: IconHome };
const ofAccount: readonly Entry[] = [
  { to: '/numbers', label: t('Numbers'), icon: IconDeviceMobile },
  { to: '/keys', label: t('API keys'), icon: IconKey },
  { to: '/send', label: t('Send'), icon: IconSend },
  { to: '/activity', label: t('Activity'), icon: IconActivity },
  { to: '/usage', label: t('Usage'), icon: IconChartBar },
];
const sandbox: Entry = { to: '/sandbox-phone', label: t('Sandbox phone'), icon: IconDeviceMobileMessage };
const alerts: Entry = { to: '/alerts', label: t('Alerts'), icon: IconBell };
const account: Entry = { to: '/account', label: t('Account'), icon: IconId };

const ofBoth: readonly Entry[] = [
  // In Indonesian, whose nouns have no plural, it would be named like the page of one account.
  { to: '/operator/accounts', label: t('Accounts', { context: 'page' }), icon: IconUsers },
  { to: '/operator/numbers', label: t('All numbers'), icon: IconListNumbers },
  { to: '/operator/users', label: t('People'), icon: IconUserCog },
  { to: '/operator/usage', label: t('Usage of accounts'), icon: IconChartBar },
  { to: '/operator/alerts', label: t('All alerts'), icon: IconBell },
  { to: '/operator/audit', label: t('Audit log'), icon: IconHistory },
];
const ofOperator: readonly Entry[] = [
  { to: '/operator/providers', label: t('Providers'), icon: IconBuildingStore },
  { to: '/operator/plans', label: t('Plans'), icon: IconPackages },
  { to: '/operator/health', label: t('Health'), icon: IconHeartbeat },
];

/** The pages a person can open: of the account they act for, and those for whoever administers accounts. `manages`: they look after that account. */
export function entriesOf(
  session: PortalSession,
  manages: boolean,
): { readonly ofAccount: readonly Entry[]; readonly administered: readonly Entry[] } {
  const { operator, providerAdmin } = rolesOf(session);
  const sandboxes = session.networks.includes('sandbox') ? [sandbox] : [];
  return {
    ofAccount: session.account === null ? [home, account] : [home, ...ofAccount, ...(manages ? [alerts] : []), ...sandboxes, account],
    administered: operator ? [...ofBoth, ...ofOperator] : providerAdmin ? [...ofBoth, ...ownProvider(session)] : [],
  };
}

/** The brand of the only provider that somebody runs; nothing for those who run several. */
function ownProvider(session: PortalSession): readonly Entry[] {
  const [providerId, ...more] = ownProviders(session);
  if (providerId === undefined || more.length > 0) return [];
  const within = `/operator/providers/${providerId}`;
  return [{ to: `${within}/brand`, label: t('Your brand'), icon: IconPalette, within }];
}
