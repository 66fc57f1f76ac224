import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, parseJson } from '../../src/api/json.ts';
import { NO_NAMES } from '../../src/directory/directory.ts';
import type { Ask } from '../../src/explain/explanation.ts';
import { EXPLAINERS } from '../../src/explain/registry.ts';
import { FULL_RECORDS } from '../resources/full-records.ts';

const json = fc.json().map(parseJson);

/** A record of the list of which some members are something else. */
const recordOf = (id: string) =>
  fc
    .tuple(
      fc.constantFrom(...FULL_RECORDS.filter(([resource]) => resource === id).map(([, record]) => record)),
      fc.dictionary(fc.nat(30).map(String), json),
    )
    .map(([record, changes]) => {
      const names = Object.keys(record);
      const changed = Object.entries(changes).map(([at, value]) => [names[Number(at) % names.length] ?? at, value]);
      return { ...record, ...Object.fromEntries(changed) };
    });

const askAny =
  (answers: readonly Json[]): Ask =>
  async ({ path }) =>
    answers[path.length % Math.max(1, answers.length)];

const nowMs = 1_800_000_000_000;

const known = (id: string, filters: { readonly [name: string]: readonly string[] }, answers: readonly Json[]) => {
  const rows = FULL_RECORDS.filter(([resource]) => resource === id).map(([, record]) => record);
  return { directory: NO_NAMES, nowMs, around: { filters, rows }, ask: askAny(answers) };
};

describe.each(Object.entries(EXPLAINERS))('the explanation of %s', (id, load) => {
  it('comes for whatever a node sends, and for whatever it answers', async () => {
    const explain = await load();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(recordOf(id), fc.dictionary(fc.string(), json)),
        fc.array(json),
        async (row, answers) => {
          const { parts, copies } = await explain(row, known(id, {}, answers));
          expect(parts[0]?.title ?? '').toBe('');
          expect(copies.every(({ what, text }) => what !== '' && text !== '')).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('comes of every record that a node has, and its headline says something', async () => {
    const explain = await load();
    for (const [resource, record] of FULL_RECORDS) {
      if (resource !== id) continue;
      const { parts, json: members } = await explain(record, known(id, {}, []));
      expect(parts[0]?.lines[0]?.text).not.toBe('');
      for (const { lines } of parts) for (const { text } of lines) expect(text).not.toMatch(/undefined|NaN|\[object/);
      expect(Object.keys(members).length).toBeGreaterThan(0);
    }
  });
});
