import { EMPTY, type SafeText, safeText, sanitize, sliceSafe } from '../../base/text/safe-text.ts';
import { textTable } from '../../base/text/text-table.ts';
import { indentedJson, printJson } from '../../chain/api/json.ts';
import type { ChainSide } from '../../memory/diff/chain-side.ts';
import { type DisplayContext, describeChange, displayMembers, recordTitle } from '../../memory/diff/describe-change.ts';
import type { RecordChange } from '../../memory/diff/side.ts';
import { cappedCell, type PrintedForms } from '../output.ts';
import type { Sink } from '../sink.ts';
import { sideJson } from './read-side.ts';

interface ComparedSides {
  readonly a: ChainSide;
  readonly b: ChainSide;
  readonly changes: readonly RecordChange[];
  readonly shown: DisplayContext;
}

/** How the changes are printed. */
export function diffForms({ a, b, changes, shown }: ComparedSides, stdout: Sink): PrintedForms<RecordChange> {
  return {
    head: () => ['resource', 'key', 'name', 'change', 'member', 'from', 'to'],
    // Markdown is for people, so that nothing in it may be hidden.
    cells: change =>
      displayMembers(change, shown).map(({ path, from, to }) =>
        [change.resource, change.key, recordTitle(change, shown), change.change, path, from, to].map(sanitize),
      ),
    json: change => printJson(changeJson(change)),
    document: () => indentedJson({ a: sideJson(a), b: sideJson(b), changes: changes.map(changeJson) }),
    table: some => changesTable(some, shown, stdout),
  };
}

/** The members that docs/guides/diff.md names: they stay as they are. */
const changeJson = ({ resource, key, change, members }: RecordChange) => ({
  resource,
  key,
  change,
  members: members.map(({ path, from, to }) => ({ path, from, to })),
});

/** On a terminal, names and paths are cut to fit; values never are. */
function changesTable(
  changes: readonly RecordChange[],
  shown: DisplayContext,
  { isTerminal, columns = 80 }: Sink,
): SafeText {
  const table = textTable(
    [
      { title: sanitize('LIST') },
      { title: sanitize('RECORD'), mostCells: 48, ...(isTerminal && { cut: 'middle', leastCells: 16 }) },
      { title: sanitize('MEMBER'), mostCells: 40, ...(isTerminal && { cut: 'middle', leastCells: 10 }) },
      // Text that does not fit continues in the next line of the terminal.
      { title: sanitize('CHANGE'), mostCells: 24 },
    ],
    isTerminal ? columns : undefined,
  );
  return table.lines(
    changes.flatMap(change =>
      displayMembers(change, shown).map(({ path, from, to }) => [
        sanitize(change.resource),
        cappedCell(recordTitle(change, shown)),
        cappedCell(sanitize(path)),
        changeText(change, from, to),
      ]),
    ),
  );
}

function changeText({ change }: RecordChange, from: string, to: string): SafeText {
  if (change !== 'changed') return cappedCell(sanitize(describeChange({ change }, { from, to })));
  const [one, other] = aroundDifference(sanitize(from), sanitize(to));
  return safeText`${one} -> ${other}`;
}

/** Of long values that are almost the same, such as signatures, the part that differs. */
function aroundDifference(from: SafeText, to: SafeText): readonly [SafeText, SafeText] {
  if (Math.max(from.length, to.length) <= MAX_WHOLE_LENGTH) return [from, to];
  let start = 0;
  while (start < Math.min(from.length, to.length) && from[start] === to[start]) start++;
  return [excerpt(from, start), excerpt(to, start)];
}

function excerpt(text: SafeText, difference: number): SafeText {
  const start = Math.max(0, difference - CONTEXT_LENGTH);
  const end = start + MAX_WHOLE_LENGTH;
  const [before, after] = [start > 0 ? ELLIPSIS : EMPTY, end < text.length ? ELLIPSIS : EMPTY];
  return safeText`${before}${sliceSafe(text, start, end)}${after}`;
}

const ELLIPSIS = safeText`...`;
const MAX_WHOLE_LENGTH = 120;
const CONTEXT_LENGTH = 20;
