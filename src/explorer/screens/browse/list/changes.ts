import { momentText } from '../../../../base/text/time.ts';
import { pageContext } from '../../../../chain/resources/cell-text.ts';
import { valueInContext } from '../../../../chain/resources/columns.ts';
import { isSameJson, isSameValue } from '../../../../chain/resources/meaning.ts';
import type { Resource, Row } from '../../../../chain/resources/resource.ts';
import type { LoadedPage } from '../state.ts';
import type { Changes, RowChange } from './row-changes.ts';

/**
 * The changes that a reload found. If it found none, the earlier ones still hold, with their time, and stay marked; null
 * if there were none.
 */
export function changesAfterReload(
  resource: Resource,
  known: Changes | null,
  { before, after }: { readonly before: LoadedPage; readonly after: LoadedPage },
): Changes | null {
  const pairs = pairRows(resource, before.rows, after.rows);
  const changed = new Map<Row, RowChange>();
  for (const [row, was] of pairs.of) {
    const values = isSameJson(row, was)
      ? new Map<string, string>()
      : changedValuesBefore(resource, { row, page: after }, { row: was, page: before });
    if (values.size > 0) changed.set(row, { before: was, values });
  }
  const { added, gone } = pairs;
  const isWhole = pageContext(after).isWhole && pageContext(before).isWhole;
  if (changed.size + added.size + gone > 0)
    return {
      rows: after.rows,
      sinceMs: before.receivedAtMs,
      untilMs: after.receivedAtMs,
      changed,
      added,
      gone,
      isWhole,
    };
  return known?.rows === before.rows ? carryOver(known, after, pairs.of) : null;
}

/** The changes that the rows on the screen have; none of another page. */
export const changesOfPage = (changes: Changes | null, page: LoadedPage | null): Changes | null =>
  changes !== null && changes.rows === page?.rows ? changes : null;

/** `3 changed, 1 new, 2 gone since 13:40:05 UTC` */
export function changesText(changes: Changes): string {
  const { changed, added, gone, isWhole } = changes;
  const counts = [
    [changed.size, 'changed'],
    [added.size, 'new'],
    [gone, 'gone'],
  ] as const;
  const said = counts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`])).join(', ');
  return `${said}${isWhole ? '' : ' on this page'} ${changesSinceText(changes)}`;
}

/**
 * `since 13:40:05 UTC`, with the date if that was another day. After a step back, the comparison is with the later state.
 */
export function changesSinceText({ sinceMs, untilMs }: Changes): string {
  const [since, until] = [momentText(sinceMs), momentText(untilMs)];
  const isSameDay = since.slice(0, DATE_LENGTH) === until.slice(0, DATE_LENGTH);
  return `${sinceMs > untilMs ? 'compared with' : 'since'} ${isSameDay ? since.slice(DATE_LENGTH + 1) : since}`;
}

const DATE_LENGTH = '2026-10-01'.length;

interface RowOnPage {
  readonly row: Row;
  readonly page: LoadedPage;
}

function changedValuesBefore({ columns }: Resource, now: RowOnPage, was: RowOnPage): ReadonlyMap<string, string> {
  return new Map(
    columns.flatMap(column => {
      const value = valueInContext(column, was.row, pageContext(was.page));
      const isSame = isSameValue(column.kind, value, valueInContext(column, now.row, pageContext(now.page)));
      return isSame ? [] : [[column.id, value] as const];
    }),
  );
}

interface RowPairs {
  /** By the row of now that of before. */
  readonly of: ReadonlyMap<Row, Row>;
  readonly added: ReadonlySet<Row>;
  readonly gone: number;
}

/** Rows of one key are the same thing; of several with a key, as versions have, first those that are the very same. */
function pairRows(resource: Resource, before: readonly Row[], after: readonly Row[]): RowPairs {
  const of = new Map<Row, Row>();
  const isLeft = (row: Row, index: number): boolean => {
    const was = before[index];
    const isSame = was !== undefined && isSameJson(row, was);
    if (isSame) of.set(row, was);
    return !isSame;
  };
  const rows = after.filter(isLeft);
  const taken = new Set(of.values());
  const left = Map.groupBy(
    before.filter(row => !taken.has(row)),
    row => resource.keyOf(row),
  );
  const take = (row: Row, isMeant: (was: Row) => boolean): boolean => {
    const candidates = left.get(resource.keyOf(row)) ?? [];
    const at = candidates.findIndex(isMeant);
    const [was] = at < 0 ? [] : candidates.splice(at, 1);
    if (was !== undefined) of.set(row, was);
    return was !== undefined;
  };
  const others = rows.filter(row => !take(row, was => isSameJson(row, was)));
  const added = new Set(others.filter(row => !take(row, () => true)));
  const gone = [...left.values()].reduce((sum, { length }) => sum + length, 0);
  return { of, added, gone };
}

function carryOver(known: Changes, { rows, receivedAtMs }: LoadedPage, pairs: RowPairs['of']): Changes {
  const changed = new Map<Row, RowChange>();
  const added = new Set<Row>();
  for (const [row, was] of pairs) {
    const change = known.changed.get(was);
    if (change !== undefined) changed.set(row, change);
    if (known.added.has(was)) added.add(row);
  }
  return { ...known, rows, untilMs: receivedAtMs, changed, added };
}
