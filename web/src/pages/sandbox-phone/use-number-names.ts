import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { instancesQuery } from '../../api/queries.ts';
import { shownNumber } from '../../parts/phone-number.ts';
import { useAccountId } from '../../session/session.ts';

/** What the account calls its numbers: gives a name for digits, which are their own name when there is no other. */
export function useNumberNames(): (digits: string) => string {
  const { data } = useQuery(instancesQuery(useAccountId()));
  return useCallback(
    (digits) =>
      data?.find(({ phone_number, network }) => phone_number === digits && network === 'sandbox')?.label ?? shownNumber(digits) ?? digits,
    [data],
  );
}
