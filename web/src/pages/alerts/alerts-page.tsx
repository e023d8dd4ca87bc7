import { t } from '../../language/language.ts';
import { useSuspended } from '../../parts/account/use-suspended.ts';
import { useAccountHome } from '../../parts/alerts/home.ts';
import { Targets } from '../../parts/alerts/targets.tsx';

/** Who is told when something of the account is wrong. */
export default function AlertsPage() {
  const suspended = useSuspended();
  return (
    <Targets
      title={t('Alerts')}
      home={useAccountHome()}
      text={t('Who is told when a number needs a person and when it is back, and when a plan is ending.')}
      changeable={!suspended}
    />
  );
}
