import { EMPTY, type SafeText, safeText, sanitize, sliceSafe } from '../../base/text/safe-text.ts';
import { textTable } from '../../base/text/text-table.ts';
import { indentedJson, printJson } from '../../chain/api/json.ts';
import type { ChainSide } from '../../memory/diff/chain-side.ts';
import { changeWords, type ShownWith, shownMembers, subjectOf } from '../../memory/diff/change-words.ts';
import type { RecordChange } from '../../memory/diff/side.ts';
import { cappedCell, type PrintedForms } from '../output.ts';
import type { Sink } from '../sink.ts';
import { sideJson } from './read-side.ts';

interface Compared {
  readonly a: ChainSide;
  readonly b: ChainSide;
  readonly changes: readonly RecordChange[];
  readonly shown: ShownWith;
}

/** How the changes are printed. */
export function diffForms({ a, b, changes, shown }: Compared, stdout: Sink): PrintedForms<RecordChange> {
  return {
    head: () => ['resource', 'key', 'name', 'change', 'member', 'from', 'to'],
    // Markdown is for people, so that nothing in it may be hidden.
    cells: change =>
      shownMembers(change, shown).map(({ path, from, to }) =>
        [change.resource, change.key, subjectOf(change, shown), change.change, path, from, to].map(sanitize),
      ),
    json: change => printJson(changeJson(change)),
    document: () => indentedJson({ a: sideJson(a), b: sideJson(b), changes: changes.map(changeJson) }),
    table: some => changesTable(some, shown, stdout),
  };
}

/** The members that docs/diff.md names: they stay as they are. */
export const changeJson = ({ resource, key, change, members }: RecordChange) => ({
  resource,
  key,
  change,
  members: members.map(({ path, from, to }) => ({ path, from, to })),
});

/** On a terminal, names and paths are cut to fit; values never are. */
function changesTable(
  changes: readonly RecordChange[],
  shown: ShownWith,
  { isTerminal, columns = 80 }: Sink,
): SafeText {
  const table = textTable(
    [
      { title: sanitize('LIST') },
      { title: sanitize('RECORD'), mostCells: 48, ...(isTerminal && { cut: 'middle', leastCells: 16 }) },
      { title: sanitize('MEMBER'), mostCells: 40, ...(isTerminal && { cut: 'middle', leastCells: 10 }) },
      // What does not fit goes on in the next line of the terminal.
      { title: sanitize('CHANGE'), mostCells: 24 },
    ],
    isTerminal ? columns : undefined,
  );
  return table.lines(
    changes.flatMap(change =>
      shownMembers(change, shown).map(({ path, from, to }) => [
        sanitize(change.resource),
        cappedCell(subjectOf(change, shown)),
        cappedCell(sanitize(path)),
        changeText(change, from, to),
      ]),
    ),
  );
}

function changeText({ change }: RecordChange, from: string, to: string): SafeText {
  if (change !== 'changed') return cappedCell(sanitize(changeWords({ change }, { from, to })));
  const [one, other] = aroundDifference(sanitize(from), sanitize(to));
  return safeText`${one} -> ${other}`;
}

/** Of long values that are almost the same, such as signatures, the part that differs. */
function aroundDifference(from: SafeText, to: SafeText): readonly [SafeText, SafeText] {
  if (Math.max(from.length, to.length) <= LONGEST_WHOLE) return [from, to];
  let start = 0;
  while (start < Math.min(from.length, to.length) && from[start] === to[start]) start++;
  return [part(from, start), part(to, start)];
}

function part(text: SafeText, difference: number): SafeText {
  const start = Math.max(0, difference - BEFORE);
  const end = start + LONGEST_WHOLE;
  const [before, after] = [start > 0 ? MORE : EMPTY, end < text.length ? MORE : EMPTY];
  return safeText`${before}${sliceSafe(text, start, end)}${after}`;
}

const MORE = safeText`...`;
const LONGEST_WHOLE = 120;
const BEFORE = 20;
