import { useParams } from '@tanstack/react-router';
import { t } from '../../language/language.ts';
import { Back } from '../../parts/back.tsx';
import { KeyPage } from '../../parts/keys/key-page.tsx';

/** One key of any account this person administers. */
export default function AccountKeyPage() {
  const { accountId, keyId } = useParams({ from: '/signed-in/operator/accounts/$accountId/keys/$keyId' });
  return (
    <KeyPage
      back={
        <Back to="/operator/accounts/$accountId" params={{ accountId }}>
          {t('The account')}
        </Back>
      }
      accountId={accountId}
      keyId={keyId}
    />
  );
}
