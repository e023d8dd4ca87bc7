import { useParams } from '@tanstack/react-router';
import { t } from '../../language/language.ts';
import { Back } from '../../parts/back.tsx';
import { KeyOverview } from '../../parts/keys/key-detail.tsx';

/** One key of any account this person administers. */
export default function AccountKeyPage() {
  const { accountId, keyId } = useParams({ from: '/signed-in/operator/accounts/$accountId/keys/$keyId' });
  return (
    <>
      <Back to="/operator/accounts/$accountId" params={{ accountId }}>
        {t('The account')}
      </Back>
      <KeyOverview accountId={accountId} keyId={keyId} />
    </>
  );
}
