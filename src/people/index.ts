export { type Factor, FailedSignIns } from './failed-sign-ins.ts';
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
  passwordResetLink,
  type SeenBy,
  usableLink,
  withdrawInvitation,
} from './one-time-links.ts';
export {
  invitationSorts,
  selectAnyInvitation,
  selectInvitation,
  selectInvitationPage,
  selectInvitationsOf,
  takeLink,
} from './queries/links.ts';
export { operatorExists, selectAdmins, selectMember, selectMembers, selectOwners } from './queries/memberships.ts';
export {
  peopleSorts,
  type SearchReach,
  selectPeople,
  selectPeopleLike,
  selectPeoplePage,
  type UserWithRoles,
} from './queries/people.ts';
export {
  chooseLanguage,
  codesLockedUntil,
  countSessions,
  endOtherSessions,
  existingUser,
  insertUser,
  knownLanguage,
  languageAt,
  languageOf,
  selectUserByEmail,
  setPassword,
  verifyEmail,
} from './queries/users.ts';
export { changeRole, join, removeRole, removeUser } from './roles.ts';
export { findScanLink, makeScanLink, type ScanLink, useUpScanLinks } from './scan-links.ts';
export { endTwoFactor, recordOwnChange, recordOwnChangeIn, recordSignIn } from './secrets.ts';
export { SeenSessions } from './seen-sessions.ts';
export { invitationDetail, invitationView, memberDetail, memberView, newInvitationView, userView } from './views.ts';
