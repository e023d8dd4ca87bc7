import { useParams } from '@tanstack/react-router';
import { t } from '../../language/language.ts';
import { Back } from '../../parts/back.tsx';
import { KeyPage } from '../../parts/keys/key-page.tsx';
import { useAccountId } from '../../session/session.ts';
import { KeySends } from './key-sends.tsx';

export default function OwnKeyPage() {
  const { keyId } = useParams({ from: '/signed-in/of-account/keys/$keyId' });
  return (
    <KeyPage back={<Back to="/keys">{t('All keys')}</Back>} accountId={useAccountId()} keyId={keyId}>
      <KeySends keyId={keyId} />
    </KeyPage>
  );
}
