import { useParams } from '@tanstack/react-router';
import { useSuspended } from '../../parts/account/use-suspended.ts';
import { useAccountHome } from '../../parts/alerts/home.ts';
import { TargetPage } from '../../parts/alerts/target-page.tsx';

export default function AlertTargetPage() {
  const { targetId } = useParams({ from: '/signed-in/of-account/alerts/$targetId' });
  const suspended = useSuspended();
  return <TargetPage home={useAccountHome()} targetId={targetId} changeable={!suspended} />;
}
