import { useParams } from '@tanstack/react-router';
import { useSuspended } from '../../parts/account/use-suspended.ts';
import { useAccountHome } from '../../parts/alerts/home.ts';
import { TargetDetail } from '../../parts/alerts/target-detail.tsx';

/** One of the account's alert targets. */
export default function AlertTargetPage() {
  const { targetId } = useParams({ from: '/signed-in/of-account/alerts/$targetId' });
  const suspended = useSuspended();
  return <TargetDetail home={useAccountHome()} targetId={targetId} changeable={!suspended} />;
}
