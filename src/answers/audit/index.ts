// What others may know of the audit, loaded only when one is asked for.
export { auditExports } from './audit.ts';
export { auditText, fetchLines } from './audit-lines.ts';
export type { Audit } from './result.ts';
