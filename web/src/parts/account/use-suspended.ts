import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../api/queries.ts';
import { useAccountId } from '../../session/session.ts';
import { isSuspended } from './state.ts';

/** Whether the account is suspended, so that its people can only look; false until it is known. */
export function useSuspended(): boolean {
  const { data } = useQuery(accountQuery(useAccountId()));
  return data !== undefined && isSuspended(data);
}
