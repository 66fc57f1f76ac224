import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonArray, isJsonObject, isRawNumber, type Json, type JsonObject } from '../../src/api/json.ts';
import { baseAddress, requestUrl } from '../../src/api/request.ts';
import { NO_NAMES } from '../../src/directory/directory.ts';
import type { Explanation, Knowledge } from '../../src/explain/explanation.ts';
import { EXPLAINERS } from '../../src/explain/registry.ts';
import { RESOURCES } from '../../src/resources/registry.ts';
import { FULL_RECORDS } from '../resources/full-records.ts';
import { anyDirectory } from '../support/any-directory.ts';
import { anyText } from '../support/any-text.ts';
import { anyJson, changed, waysIn, withAt } from '../support/changed-json.ts';
import { expectNoSlips } from '../support/no-slips.ts';
import { drawnTexts } from './drawn-texts.ts';
import { type Answers, anyAnswers, askOf, LIKELY } from './likely-answers.ts';

const nowMs = 1_800_000_000_000;

const recordsOf = (id: string): readonly JsonObject[] =>
  FULL_RECORDS.flatMap(([resource, record]) => (resource === id ? [record] : []));

const known = (id: string, answers: Answers, more: Partial<Knowledge> = {}): Knowledge => ({
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

it('every list that is explained is one of the program, and has full records to be fed with', () => {
  const ids = RESOURCES.map(({ id }) => id);
  for (const id of Object.keys(EXPLAINERS)) {
    expect(ids).toContain(id);
    expect(recordsOf(id), id).not.toEqual([]);
  }
});

describe.each(Object.entries(EXPLAINERS))('the explanation of %s', (id, load) => {
  it('comes for whatever a node sends, and for whatever it answers', async () => {
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
      { numRuns: 120 },
    );
  });

  it('comes with anything in each place of a full record', async () => {
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
        { numRuns: 4, endOnFailure: true, examples: EVERYWHERE.map(put => [ways.map(() => put)]) },
      );
    }
  });

  it('comes with anything in each place of what a node answers', async () => {
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
      { numRuns: 3, endOnFailure: true },
    );
  });

  it('comes of every record that a node has, and its headline says something', async () => {
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
