import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { instancesQuery } from '../../api/queries.ts';
import { shownNumber } from '../../parts/phone-number.ts';
import { useAccountId } from '../../session/session.ts';

/** Looks up the account's name for a number; digits without a name are shown as they are. */
export function useNumberNames(): (digits: string) => string {
  const { data } = useQuery(instancesQuery(useAccountId()));
  return useCallback(
    (digits) =>
      data?.find(({ phone_number, network }) => phone_number === digits && network === 'sandbox')?.label ?? shownNumber(digits) ?? digits,
    [data],
  );
}
