// What others may know of the audit, loaded only when one is asked for.
export { type AuditOptions, auditExports } from './audit.ts';
export type { Audit, CheckResult, NamedDifference } from './result.ts';
