import type { ChangeCounts, RecentChanges } from '../../../memory/diff/recent-changes.ts';
import { recentChangesTexts, shorterChangesTexts } from '../../../memory/diff/recent-changes-text.ts';
import { createFact, type Fact, type FactContext, isoText } from './fact.ts';

/** The changes between stored snapshots of a chain; null if there are none to compare, a text if unreadable. */
export type StoredChanges = RecentChanges | string | null;

/** Empty without snapshots. */
export function changedFact(changed: StoredChanges, { nowMs }: FactContext): readonly Fact[] {
  if (changed === null) return [];
  const named = { id: 'changed', label: 'Changed', lead: { kind: 'changes' } } as const;
  if (typeof changed === 'string') return [createFact({ kind: 'unread', why: changed }, named, () => ({ parts: [] }))];
  const parts = recentChangesTexts(changed, nowMs);
  const line = parts.join('; ');
  const read = { kind: 'read', value: changed, records: null, gap: '', atMs: nowMs } as const;
  const said = {
    parts,
    shorter: shorterChangesTexts(changed, nowMs),
    line,
    sentence: `${line}. D compares with the node now.`,
  };
  // Snapshots have times of their own.
  return [{ ...createFact(read, named, () => said), atMs: null }];
}

/** A member of the overview, always present. */
export function changedJson(changed: StoredChanges) {
  const {
    sinceYesterday = null,
    sinceLooked = null,
    untilMs = null,
  } = typeof changed === 'string' ? {} : (changed ?? {});
  return {
    sinceYesterday: sinceJson(sinceYesterday),
    sinceLooked: sinceJson(sinceLooked),
    until: isoText(untilMs),
    error: typeof changed === 'string' ? changed : null,
  };
}

const sinceJson = (since: ChangeCounts | null) =>
  since && { takenAt: isoText(since.takenMs), lists: since.compared, changes: Object.fromEntries(since.counts) };
