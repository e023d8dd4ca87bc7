import { t } from '../../language/language.ts';
import { operatorHome } from '../../parts/alerts/home.ts';
import { Targets } from '../../parts/alerts/targets.tsx';
import { rolesOf, useSession } from '../../session/session.ts';
import { useAlertPlace } from './alert-place.tsx';

/** Who is told when something of the providers, or of the gateway, is wrong. */
export default function AllAlertsPage() {
  const { operator } = rolesOf(useSession());
  const text = operator
    ? t('Who is told when something is wrong: anywhere on this gateway, or only in the accounts of one provider.')
    : t('Who is told when something is wrong in your accounts.');
  return <Targets title={t('All alerts')} home={operatorHome} text={text} changeable {...useAlertPlace()} />;
}
