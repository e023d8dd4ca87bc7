export { type Factor, FailedSignIns } from './failed-sign-ins.ts';
export { unknownUser } from './failures.ts';
export { invitationFate } from './invitation-fate.ts';
export { chooseLanguage, languageAt, languageOf } from './language.ts';
export { invitationMail, type MailText, passwordResetMail } from './mail-texts.ts';
export { administered, endOutlivedLinks, isWithin } from './makers.ts';
export { membershipsOf, type Place, placeOf, type Role, roleAt } from './memberships.ts';
export {
  checkEmail,
  firstOperatorLink,
  invite,
  inviteWithin,
  linkExpired,
  type NewLink,
  openInvitation,
  passwordResetLink,
  type SeenBy,
  usableLink,
  withdrawInvitation,
} from './one-time-links.ts';
export {
  giveLinkBack,
  type InvitationSummary,
  invitationSorts,
  selectAnyInvitation,
  selectInvitationPage,
  selectInvitationsOf,
  takeLink,
} from './queries/links.ts';
export { operatorExists, selectAdminIds, selectAdmins, selectMember, selectMembers } from './queries/memberships.ts';
export {
  type FoundPerson,
  peopleSorts,
  rolesOfUser,
  type SearchReach,
  selectPeople,
  selectPeopleLike,
  selectPeoplePage,
  type UserWithRoles,
} from './queries/people.ts';
export { countSessions, endOtherSessions, noteSeen, selectUser, selectUserByEmail, type UserRow } from './queries/users.ts';
export { changeRole, join, removeRole, removeUser } from './roles.ts';
export { endTwoFactor, recordOwnChange, recordSignIn } from './secrets.ts';
