import { linkOptions } from '@tanstack/react-router';

/** Whose pages people and invitations lead to: those of administrators, or those of the account that is acted for. */
export type PagesOfPeople = 'administrators' | 'account';

export function personPage(userId: string, pages: PagesOfPeople) {
  return pages === 'administrators'
    ? linkOptions({ to: '/operator/users/$userId', params: { userId } })
    : linkOptions({ to: '/account/members/$userId', params: { userId } });
}

export function invitationPage(invitationId: string, pages: PagesOfPeople) {
  return pages === 'administrators'
    ? linkOptions({ to: '/operator/users/invitations/$invitationId', params: { invitationId } })
    : linkOptions({ to: '/account/invitations/$invitationId', params: { invitationId } });
}
