import { useParams } from '@tanstack/react-router';
import { t } from '../../language/language.ts';
import { Back } from '../../parts/back.tsx';
import { KeyOverview } from '../../parts/keys/key-detail.tsx';
import { useAccountId } from '../../session/session.ts';
import { KeySends } from './key-sends.tsx';

/** One key of the account. */
export default function KeyPage() {
  const { keyId } = useParams({ from: '/signed-in/of-account/keys/$keyId' });
  return (
    <>
      <Back to="/keys">{t('All keys')}</Back>
      <KeyOverview accountId={useAccountId()} keyId={keyId}>
        <KeySends keyId={keyId} />
      </KeyOverview>
    </>
  );
}
