import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RANGE_FORMS } from '../../../src/chain/range/parse-range.ts';
import { EXPORT_FLAGS, parseTypedExport } from '../../../src/history/plan/typed-export.ts';

const PRESETS = {
  daily: ['--table', 'blocks', '--last', '2', '--slice', '1', '--parallel', '2'],
  broken: ['--table', 'blocks', '--range', 'never'],
  bare: [],
};

const named = (text: string) => parseTypedExport(text, PRESETS);

/** Tables and range, or what is wrong. */
function read(text: string): string {
  const choice = named(text);
  if ('problem' in choice) return choice.problem;
  return `${choice.tables.map(({ id }) => id).join(',')} | ${choice.range ?? ''}`;
}

describe('Typed export arguments', () => {
  it.each([
    ['ledger e20..e25', 'ledger | e20..e25'],
    ['e20..e25 ledger', 'ledger | e20..e25'],
    ['LEDGER --last 3', 'ledger | last 3'],
    ['TABLE_LEDGER last 3 segments', 'ledger | last 3 segments'],
    ['last-month', ' | last-month'],
    ['last month trades', 'trades | last month'],
    ['ledger,trades all', 'ledger,trades | all'],
    ['ledger, trades all', 'ledger,trades | all'],
    ['trades ledger 501..1500', 'trades,ledger | 501..1500'],
    ['ledger 2026-10-01 12:00..2026-10-02 13:30', 'ledger | 2026-10-01T12:00..2026-10-02T13:30'],
    ['ledger --from 2026-10-01 12:00 --to e25', 'ledger | 2026-10-01T12:00..e25'],
    ["--table ledger --range 'last 3'", 'ledger | last 3'],
    ['--table=ledger --from=501 --to=1500', 'ledger | 501..1500'],
    ['ledger e20', 'ledger | e20'],
    ['ledger', 'ledger | '],
    ['daily', 'blocks | last 2'],
    ['--preset daily --last 5', 'blocks | last 5'],
    ['daily ledger e20..e25', 'ledger | e20..e25'],
    ['bare', ' | '],
  ])('The typed export %j means %j', (text, expected) => expect(read(text)).toBe(expected));

  it.each([
    ['legder e20..e25', '"legder" is not a table, preset or range; did you mean "ledger"?'],
    ['ledger,tradse all', '"tradse" is not a table, preset or range; did you mean "trades"?'],
    ['dayly', '"dayly" is not a table, preset or range; did you mean "daily"?'],
    ['ledger last-mont', '"last-mont" is not a table, preset or range; did you mean "last-month"?'],
    ['ledger 501 1500', '"501 1500": did you mean "501..1500"?'],
    ['ledger 501', `"501" is not a table, preset or range: a range is ${RANGE_FORMS}`],
    ['ledger --last x', `"last x" is not a range: ${RANGE_FORMS}`],
    ['ledger --lst 3', 'the wizard has no field for --lst; did you mean "--last"?'],
    ['ledger --parallel 2', 'the wizard has no field for --parallel'],
    ['ledger --last', '--last needs a value'],
    ['ledger --from 501', 'use --from and --to together'],
    ['ledger all --last 3', 'give one range, not "all" and "last 3"'],
    ['--preset dayly', 'there is no preset "dayly": there are daily, broken, bare; did you mean "daily"?'],
    ['broken', `"never" is not a range: ${RANGE_FORMS}`],
    ['constructor all', `"constructor" is not a table, preset or range: a range is ${RANGE_FORMS}`],
  ])('The typed export %j is a mistake: %s', (text, problem) => expect(read(text)).toBe(problem));

  it('The typed export accepts the flags that the wizard knows, and reports those of a preset that it does not', () => {
    expect(named('daily --out /tmp/a.zip --keep-incomplete')).toMatchObject({
      ...{ destination: '/tmp/a.zip', isSliced: true, keepsIncomplete: true },
      left: ['--parallel'],
    });
    expect(named('ledger all --slice 5')).toMatchObject({ isSliced: true, keepsIncomplete: false, left: [] });
  });

  it('The typed export is read without an error, whatever the text', () => {
    const word = fc.oneof(
      fc.constantFrom(...EXPORT_FLAGS, '--=', 'daily', 'ledger,', ',', '..', "'", '"', 'e1..e2', 'last', '3'),
      fc.string(),
    );
    fc.assert(fc.property(fc.array(word), words => void named(words.join(' '))));
  });
});
