import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isJsonArray,
  isJsonObject,
  isRawNumber,
  type Json,
  type JsonObject,
  jsonText,
  member,
} from '../../../src/chain/api/json.ts';
import { baseAddress, requestUrl } from '../../../src/chain/api/request.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import type { ExplainContext, Explanation } from '../../../src/chain/explain/explanation.ts';
import { EXPLAINERS } from '../../../src/chain/explain/registry.ts';
import { RESOURCES } from '../../../src/chain/resources/registry.ts';
import { anyDirectory } from '../../support/any-directory.ts';
import { anyText } from '../../support/any-text.ts';
import { anyJson, changed, waysIn, withAt } from '../../support/changed-json.ts';
import { expectNoSlips } from '../../support/no-slips.ts';
import { runs } from '../../support/runs.ts';
import { FULL_RECORDS } from '../resources/full-records.ts';
import { drawnTexts } from './drawn-texts.ts';
import { type Answers, anyAnswers, askOf, LIKELY } from './likely-answers.ts';

const nowMs = 1_800_000_000_000;

const recordsOf = (id: string): readonly JsonObject[] =>
  FULL_RECORDS.flatMap(([resource, record]) => (resource === id ? [record] : []));

const known = (id: string, answers: Answers, more: Partial<ExplainContext> = {}): ExplainContext => ({
  ...{ directory: NO_NAMES, nowMs, around: { filters: {}, rows: recordsOf(id) } },
  ...more,
  // What is asked for has an address, whatever a node sent for its parts.
  ask: async request => {
    expect(() => new URL(requestUrl(baseAddress('http://h'), request))).not.toThrow();
    return askOf(answers)(request);
  },
});

// Half a surrogate pair is in no address, and so many digits are in no calendar.
const EVERYWHERE: readonly Json[] = ['\ud800', '99999999999999999999'];

/** What nodes send where no time is set, the zero time of Go, and what lies behind every calendar. */
const NO_TIMES: readonly Json[] = [
  ...['0', 0, '-1', '-62135596800', '-62135596800000000000', '-6795364578871345152'],
  ...['495000000000', '253402300800', '9223372036854775807', '18446744073709551615'],
  ...['0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00', '1969-12-31T23:59:59Z'],
];

/** A year before 1971 or of more than four digits, and the days since then. */
const NO_DATE =
  /\b(?:0\d{3}|1[0-8]\d\d|19[0-6]\d|1970)-\d\d-\d\d(?!.00:00:01)|[-+]?\d{5,}-\d\d-\d\d|\b\d{5,} d(?: \d+ h)? ago/;

/** The same with this for every time that it holds, be it in seconds, in nanoseconds, in words or not set. */
function withTimes(value: JsonObject, time: Json): JsonObject {
  return waysIn(value).reduce((made, way) => {
    const text = jsonText(way.reduce<Json | undefined>(at, value));
    if (!/^(?:0|\d{10}|\d{19}|\d{4}-\d\d-\d\dT.*)$/.test(text)) return made;
    return withAt(made, way, text.length === 19 && /^\d{12}$/.test(String(time)) ? `${String(time)}000000000` : time);
  }, value);
}

const at = (value: Json | undefined, name: string): Json | undefined =>
  isJsonArray(value) ? value[Number(name)] : member(value, name);

/** Whoever asks, with what flags, and beside what. */
const anyMore = fc.record({
  directory: fc.oneof(fc.constant(NO_NAMES), anyDirectory),
  nowMs: fc.integer({ min: 0, max: 4_102_444_800_000 }),
  filters: fc.dictionary(fc.constantFrom('partyIds', 'marketId', 'a'), fc.array(anyText, { maxLength: 2 })),
  signers: fc.array(fc.tuple(anyText, anyText), { maxLength: 2 }).map(entries => new Map(entries)),
  threshold: fc.nat(1000),
  signerCount: fc.nat(100),
});

function expectExplained(id: string, row: JsonObject, explanation: Explanation, given: unknown): void {
  const { parts, json, copies } = explanation;
  expect(parts[0]?.title ?? '').toBe('');
  expect(parts.slice(1).every(({ title }) => title !== '')).toBe(true);
  for (const { title, lines } of parts) expect(lines, `nothing below "${title}"`).not.toEqual([]);
  expect(copies.every(({ what, text }) => what !== '' && text !== '')).toBe(true);
  expectPlain(json, '');
  expectNoSlips([parts, json, copies], given);
  for (const text of drawnTexts(id, row, explanation)) expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
}

/** Text, numbers that are exact, true, false, null, lists and objects, and nothing else. */
function expectPlain(value: Json | undefined, way: string): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  const isOne = isJsonArray(value) || isJsonObject(value) || Number.isFinite(value);
  expect(isOne && !isRawNumber(value), `${way} is ${String(value)}`).toBe(true);
  for (const [name, item] of Object.entries(value ?? {})) expectPlain(item, `${way}.${name}`);
}

it('Every list that is explained is a list of the program, and has full records for this test', () => {
  const ids = RESOURCES.map(({ id }) => id);
  for (const id of Object.keys(EXPLAINERS)) {
    expect(ids).toContain(id);
    expect(recordsOf(id), id).not.toEqual([]);
  }
});

describe.each(Object.entries(EXPLAINERS))('Explanation of %s', (id, load) => {
  it('The explanation is made for any record and any response of a node', async () => {
    const explain = await load();
    const anyRow = fc.oneof(
      { arbitrary: fc.constantFrom(...recordsOf(id)).chain(changed), weight: 4 },
      { arbitrary: fc.dictionary(fc.string(), anyJson), weight: 1 },
    );
    await fc.assert(
      fc.asyncProperty(
        anyRow,
        fc.array(anyRow, { maxLength: 2 }),
        anyAnswers,
        anyMore,
        async (row, rows, answers, all) => {
          const { filters, ...more } = all;
          const knowledge = known(id, answers, { ...more, around: { filters, rows: [row, ...rows] } });
          const names = [
            more.directory.markets,
            more.directory.assets,
            more.directory.validators,
            more.directory.aliases,
          ];
          const given = [row, rows, answers, filters, [...more.signers], names.map(part => [...part])];
          expectExplained(id, row, await explain(row, knowledge), given);
        },
      ),
      { numRuns: runs(20, 120) },
    );
  });

  it('The explanation is made with any value in each place of a full record', async () => {
    const explain = await load();
    for (const record of recordsOf(id)) {
      const ways = waysIn(record);
      const puts = fc.array(anyJson, { minLength: ways.length, maxLength: ways.length });
      await fc.assert(
        fc.asyncProperty(puts, async values => {
          for (const [at, way] of ways.entries()) {
            const row = withAt(record, way, values[at] ?? null);
            expectExplained(id, row, await explain(row, known(id, LIKELY)), [row, LIKELY]);
          }
        }),
        {
          numRuns: runs(EVERYWHERE.length, 3),
          endOnFailure: true,
          examples: EVERYWHERE.map(put => [ways.map(() => put)]),
        },
      );
    }
  });

  it('The explanation is made with any value in each place of a node response', async () => {
    const explain = await load();
    const places = Object.entries(LIKELY).flatMap(([path, likely]) =>
      waysIn(likely).map(way => ({ path, likely, way })),
    );
    const puts = fc.array(anyJson, { minLength: places.length, maxLength: places.length });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...recordsOf(id)), puts, async (row, values) => {
        for (const [at, { path, likely, way }] of places.entries()) {
          const answers = { ...LIKELY, [path]: withAt(likely, way, values[at] ?? null) };
          expectExplained(id, row, await explain(row, known(id, answers)), [row, answers]);
        }
      }),
      { numRuns: runs(1, 3), endOnFailure: true },
    );
  });

  it('The explanation makes no date of a malformed time, in any place of a record or a response', async () => {
    const explain = await load();
    for (const record of recordsOf(id))
      for (const time of NO_TIMES) {
        const row = withTimes(record, time);
        const answers = Object.fromEntries(
          Object.entries(LIKELY).map(([path, likely]) => [path, withTimes(likely, time)]),
        );
        for (const given of [
          { row, answers: LIKELY },
          { row: record, answers },
          { row, answers },
        ]) {
          const { parts, json } = await explain(given.row, known(id, given.answers));
          const shown = [...parts.flatMap(({ lines }) => lines.map(({ text }) => text)), JSON.stringify(json)];
          for (const text of shown)
            expect(text.replaceAll(new RegExp(`${String(time)}(?:0{9})?`, 'g'), ''), String(time)).not.toMatch(NO_DATE);
        }
      }
  });

  it('The explanation is made for every record of a node, and has a headline that is not empty', async () => {
    const explain = await load();
    for (const record of recordsOf(id)) {
      for (const answers of [{}, LIKELY]) {
        const explanation = await explain(record, known(id, answers));
        expect(explanation.parts[0]?.lines[0]?.text).not.toBe('');
        expect(Object.keys(explanation.json).length).toBeGreaterThan(0);
        expectExplained(id, record, explanation, []);
      }
    }
  });
});
