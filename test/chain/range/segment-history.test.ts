import { createServer } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Range } from '../../../src/chain/insight/range.ts';
import { createHistory, historyLag, type Segment, segmentNotes } from '../../../src/chain/range/segment-history.ts';
import { run } from '../../cli/run-command.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { urlOf } from '../../support/loopback.ts';

const segment = (from: number, to: number, chainId = 'one'): Segment => ({
  fromHeight: BigInt(from),
  toHeight: BigInt(to),
  historySegmentId: `Q${to}`,
  previousHistorySegmentId: from === 1 ? '' : `Q${from - 1}`,
  databaseVersion: '93',
  chainId,
});

/** Few heights, so that segments meet, overlap, repeat each other and leave gaps. */
const anySegments = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.nat(9), fc.constantFrom('one', 'one', 'one', 'two')), {
    maxLength: 8,
  })
  .map(parts => parts.map(([from, more, chainId]) => segment(from, from + more, chainId)));

const oldestFirst = (segments: readonly Segment[]) =>
  segments.toSorted((one, other) => Number(one.fromHeight - other.fromHeight));

/** Blocks of a kind, as ranges, by looking at each block. */
function rangesOf(is: (height: bigint) => boolean): readonly Range[] {
  const ranges: Range[] = [];
  for (let height = 0n; height <= 60n; height++) {
    if (!is(height)) continue;
    const last = ranges.at(-1);
    if (last?.to === height - 1n) ranges[ranges.length - 1] = { from: last.from, to: height };
    else ranges.push({ from: height, to: height });
  }
  return ranges;
}

const holders = (segments: readonly Segment[], height: bigint): number =>
  segments.filter(({ fromHeight, toHeight }) => fromHeight <= height && height <= toHeight).length;

describe('Segment history', () => {
  it('A history has the gaps and overlaps that a check of each block finds', () => {
    fc.assert(
      fc.property(anySegments, listed => {
        const segments = oldestFirst(listed);
        const { gaps, overlaps, chains } = createHistory(segments);
        const first = segments[0]?.fromHeight ?? 0n;
        const last = segments.reduce((most, { toHeight }) => (toHeight > most ? toHeight : most), 0n);
        expect(gaps).toEqual(
          rangesOf(height => height >= first && height <= last && holders(segments, height) === 0 && last > 0n),
        );
        expect(overlaps).toEqual(rangesOf(height => holders(segments, height) > 1));
        expect(chains.length).toBe(new Set(listed.map(({ chainId }) => chainId)).size);
      }),
    );
  });

  it('A history joins its segments to the ranges of the first chain that they follow, as nodes do', () => {
    fc.assert(
      fc.property(anySegments, listed => {
        const segments = oldestFirst(listed);
        const chains: Segment[][] = [];
        for (const next of segments) {
          const chain = chains.find(before => before.at(-1)?.toHeight === next.fromHeight - 1n);
          if (chain === undefined) chains.push([next]);
          else chain.push(next);
        }
        expect(createHistory(segments).spans.map(span => span.segments)).toEqual(chains);
      }),
    );
  });

  it('A history of a hundred thousand segments is judged at once, joined or separate', () => {
    for (const step of [10, 11]) {
      const segments = Array.from({ length: 100_000 }, (_, index) => segment(index * step + 1, index * step + 10));
      const startedMs = cpuMs();
      const { spans, gaps } = createHistory(segments);
      expect([spans.length, gaps.length]).toEqual(step === 10 ? [1, 0] : [100_000, 99_999]);
      expect(cpuMs() - startedMs).toBeLessThan(3000);
    }
  });

  it.each([
    ['nothing to say', [segment(1, 10), segment(11, 20)], { head: 20n }, []],
    ['no head', [segment(1, 10)], {}, []],
    [
      'a later beginning',
      [segment(5, 10)],
      { head: 11n },
      ['history: complete from block 5 up to block 10 (1 block behind the latest, 11)'],
    ],
    [
      'a gap and a later head',
      [segment(1, 2), segment(5, 10)],
      { head: 12n },
      ['missing: blocks 3 to 4', 'history: up to block 10 (2 blocks behind the latest, 12)'],
    ],
    [
      'a head far above',
      [segment(1, 10)],
      { head: 5000n },
      ['history: complete up to block 10 (4 990 blocks behind the latest, 5000)'],
    ],
    [
      'a head below its end',
      [segment(1, 10)],
      { head: 4n },
      ['history: complete up to block 10 (6 blocks ahead of the latest, 4)'],
    ],
    ['no segments and a head', [], { head: 4n }, []],
    ['the same twice', [segment(1, 10), segment(1, 10)], {}, ['overlap: blocks 1 to 10 are in more than one segment']],
    [
      'an overlap of one block',
      [segment(1, 10), segment(10, 20)],
      {},
      ['overlap: blocks 10 are in more than one segment'],
    ],
    ['a gap', [segment(1, 10), segment(21, 30)], {}, ['missing: blocks 11 to 20']],
    [
      'a gap where something cannot be read',
      [segment(1, 10), segment(21, 30)],
      { unreadable: 1 },
      ['unreadable: 1 of the 3 segments cannot be read', 'missing: blocks 11 to 20 (only readable segments counted)'],
    ],
    [
      'a wrong link',
      [segment(1, 10), { ...segment(11, 20), previousHistorySegmentId: 'QX' }],
      { head: 21n },
      [
        'links: the segments do not form one chain at block 11: its segment names QX before it, not Q10',
        'history: up to block 20 (1 block behind the latest, 21)',
      ],
    ],
    [
      'links that the node does not give',
      [segment(1, 10), { ...segment(11, 20), previousHistorySegmentId: '' }],
      { hasLinks: false },
      [],
    ],
    ['two chains', [segment(1, 10), segment(11, 20, '')], {}, ['chains: segments of 2 chains: one, no name']],
  ])('A history with %s says so', (_, segments, told, notes) => {
    expect(segmentNotes(createHistory(segments, told)).map(({ label, text }) => `${label}: ${text}`)).toEqual(notes);
  });
});

describe('Agreement of status, segments and export', () => {
  let listed: readonly unknown[] = [];
  let head = '100';
  const server = createServer((request, response) => {
    response.setHeader('x-block-height', head);
    response.setHeader('x-block-timestamp', String(BigInt(Date.now()) * 1_000_000n));
    const path = request.url ?? '';
    if (path.endsWith('/segments')) return response.end(JSON.stringify({ segments: listed }));
    if (path === '/statistics') return response.end('{"statistics":{"chainId":"one"}}');
    return response.writeHead(404).end('');
  });
  let url = '';
  beforeAll(async () => {
    url = await urlOf(server);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const asSent = ({ fromHeight, toHeight, ...texts }: Segment) => ({
    ...texts,
    fromHeight: String(fromHeight),
    toHeight: String(toHeight),
  });
  const plan = ({ fromHeight, toHeight }: Segment) =>
    run(['export', '--table', 'blocks', '--from', `${fromHeight}`, '--to', `${toHeight}`, '--plan', '--node', url]);

  it('`status`, `segments` and `export` say the same of every list of segments', async () => {
    await fc.assert(
      fc.asyncProperty(anySegments, fc.nat(80), fc.constantFrom(0, 0, 1, 3), async (segments, height, unreadable) => {
        listed = [...segments.map(asSent), ...Array.from({ length: unreadable }, () => ({ fromHeight: 'x' }))];
        head = String(height + 1);
        const history = createHistory(oldestFirst(segments), { unreadable, head: BigInt(height + 1) });
        const notes = segmentNotes(history);
        const status = await run(['status', '--node', url]);
        const table = await run(['segments', '--node', url]);
        const [first] = segments;
        const planned = first === undefined ? undefined : await plan(first);
        for (const { label, text } of notes) {
          expect(status.out).toContain(
            label === 'history' ? historyLag(history) : label === 'links' ? text : `${label}: ${text}`,
          );
          if (unreadable === 0) expect(table.out).toContain(`${label}: ${text}\n`);
          if (planned !== undefined) expect(planned.out + planned.err).toContain(text);
        }
        for (const label of ['missing', 'overlap', 'links', 'chains', 'history', 'unreadable'])
          if (!notes.some(note => note.label === label))
            for (const { out } of [status, table, ...(planned === undefined ? [] : [planned])])
              expect(out).not.toMatch(
                label === 'history' ? /(behind|above) the latest/ : new RegExp(`${label}(:| {2})`),
              );
        const isUntrusted = history.breaks.length > 0 || history.chains.length > 1;
        if (unreadable === 0) expect([table.code, isUntrusted ? status.code : 5]).toEqual([isUntrusted ? 5 : 0, 5]);
        if (unreadable > 0) {
          const flaw = `${unreadable} of the ${listed.length} segments cannot be read`;
          expect([status.code, table.code]).toEqual([5, 5]);
          for (const text of [status.out, table.err, planned?.err ?? flaw]) expect(text).toContain(flaw);
        }
      }),
      { numRuns: 25 },
    );
  }, 60_000);

  it('`status`, `segments` and `export` do not report unreadable segments as no history', async () => {
    listed = [{}, {}, {}];
    const planned = await run(['export', '--table', 'blocks', '--last', '1', '--plan', '--node', url]);
    expect([planned.code, planned.err]).toEqual([5, expect.stringContaining('3 of the 3 segments cannot be read')]);
    expect(planned.err).not.toContain('keeps no history');
    const status = await run(['status', '--node', url]);
    expect(status.out).toContain('unreadable: 3 of the 3 segments cannot be read');
    expect(status.out).not.toContain('no segments');
  });
});
