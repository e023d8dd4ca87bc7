import { useParams } from '@tanstack/react-router';
import { operatorHome } from '../../parts/alerts/home.ts';
import { TargetPage } from '../../parts/alerts/target-page.tsx';
import { useAlertPlace } from './alert-place.tsx';

/** One alert target of a provider or of the gateway. */
export default function AnyAlertTargetPage() {
  const { targetId } = useParams({ from: '/signed-in/operator/alerts/$targetId' });
  return <TargetPage home={operatorHome} targetId={targetId} changeable {...useAlertPlace()} />;
}
