export { type Factor, FailedSignIns } from './failed-sign-ins.ts';
export { Conflict, unknownUser } from './failures.ts';
export { invitationFate } from './invitation-fate.ts';
export { chooseLanguage, languageAt, languageOf } from './language.ts';
export { invitationMail, type MailText, passwordResetMail } from './mail-texts.ts';
export { administered, isWithin, refuseSuspendedInvitation } from './makers.ts';
export { type ActingFor, actingAccount, membershipsOf, ownAccounts, type Place, placeOf, type Role } from './memberships.ts';
export {
  checkEmail,
  firstOperatorLink,
  invite,
  linkExpired,
  type NewLink,
  openInvitation,
  passwordResetLink,
  usableLink,
  withdrawInvitation,
} from './one-time-links.ts';
export {
  countSessions,
  endOtherSessions,
  giveLinkBack,
  noteSeen,
  operatorExists,
  selectAdmins,
  selectMember,
  selectMembers,
  selectUser,
  selectUserByEmail,
  takeLink,
  type UserRow,
} from './queries.ts';
export { changeRole, join, removeRole, removeUser } from './roles.ts';
export { endTwoFactor, recordOwnChange, recordSignIn } from './secrets.ts';
