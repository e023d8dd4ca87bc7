export { type AuditDetails, changesBetween } from './changes.ts';
export { type AuditEntry, type AuditFilter, auditBounds, auditView, findAudit, listAudit } from './list.ts';
export { type Acted, auditSorts, selectActorAt, updateAuditDetails } from './queries.ts';
export { type Act, type Actor, type AuditAction, auditActions, changeAction, endingActions, recordAudit, requireReach } from './record.ts';
