import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RequestedEnd } from '../../../src/chain/range/locate-block.ts';
import { isHeight, parseTypedRange, RangeEndError } from '../../../src/chain/range/parse-range.ts';
import { createRangeRecord, createRequestedRange, rangeKeyword } from '../../../src/chain/range/requested-range.ts';
import { resolveRange } from '../../../src/chain/range/resolve-range.ts';
import { listedBoundaries } from '../../../src/chain/range/segment-boundaries.ts';
import { liquidityProvisions } from '../../../src/chain/resources/liquidity-provisions.ts';
import type { PageRequest } from '../../../src/chain/resources/page-request.ts';
import {
  curlCommandText,
  exportCommandText,
  listCommandText,
  loginHint,
  showCommandText,
} from '../../../src/explorer/services/copying/equal-commands.ts';
import type { NodeState } from '../../../src/explorer/services/node/node.ts';
import { NO_CONTACT } from '../../../src/explorer/services/node/node.ts';
import type { ExportPlan } from '../../../src/history/plan/export-plan.ts';
import { EXPORT_TABLES } from '../../../src/history/plan/export-tables.ts';
import { fakeNode } from '../../chain/range/fake-chain.ts';
import { segment } from '../support/export-scenes.ts';
import { provision } from '../support/provision-pages.ts';

const node: NodeState = {
  choice: { kind: 'start' },
  requestId: 0,
  cameFrom: null,
  hasAnswered: true,
  colour: null,
  status: 'ready',
  label: 'mainnet',
  address: 'https://node.example/some path',
  hasLogin: false,
  moment: null,
  chainId: null,
  hasSegments: false,
  presets: null,
  isChainDoubted: false,
  core: null,
  build: { version: '', isDoubted: false },
  height: null,
  hasMoved: false,
  contact: NO_CONTACT,
  doubts: [],
  checking: null,
  ratePerSecond: null,
  blockedUntilMs: 0,
  nowMs: 0,
};
const behindLogin: NodeState = { ...node, address: 'https://node.example', hasLogin: true };
const first: PageRequest = { filters: {}, size: 50, newestFirst: true, position: { kind: 'first' } };
const list = (page: Partial<PageRequest>, at: NodeState = { ...node, label: 'demo' }) =>
  listCommandText(at, liquidityProvisions, { ...first, ...page });

describe('Equal command of a page', () => {
  it.each([
    ['the last one', { position: { kind: 'last' } }, '--last 50'],
    ['the one after a cursor', { position: { kind: 'after', cursor: 'ab/+=' } }, '--page-size 50 --after ab/+='],
    ['the one before a cursor', { position: { kind: 'before', cursor: 'a b' } }, "--page-size 50 --before 'a b'"],
    ['oldest first', { newestFirst: false, size: 7 }, '--page-size 7 --oldest-first'],
    ['of the live ones', { filters: { live: ['true'] } }, '--live --page-size 50'],
    ['of those not live', { filters: { live: ['false'] } }, '--live=false --page-size 50'],
    ['of a market', { filters: { marketId: ['ab'] } }, '--market-id ab --page-size 50'],
    ['of a reference with a quote', { filters: { reference: ["'"] } }, "--reference ''\\''' --page-size 50"],
    [
      'of a reference that the shell would read',
      { filters: { reference: ['$HOME'] } },
      "--reference '$HOME' --page-size 50",
    ],
  ] satisfies readonly (readonly [string, Partial<PageRequest>, string])[])(
    'The equal command for a page %s is the command as a user would type it',
    (_, page, flags) => {
      expect(list(page)).toBe(`blockglass list provisions --demo ${flags}`);
    },
  );

  it('The equal command contains the address of the node, as one word', () => {
    expect(list({}, node)).toBe("blockglass list provisions --node 'https://node.example/some path' --page-size 50");
  });

  it('The equal command leaves a login to the settings if they have it, by the name of the profile', () => {
    expect(list({}, behindLogin)).toBe('blockglass list provisions --node mainnet --page-size 50');
    expect(list({}, { ...behindLogin, label: 'my node' })).toContain(" --node 'my node' ");
    expect(loginHint(behindLogin, list({}, behindLogin))).toBe('');
  });

  // By what `--node` takes for an address, a flag or nothing a profile is not found.
  it.each(['', 'node.example', 'localhost', 'me@node', '-x', 'a\nb', '\u001b[2J'])(
    'The equal command leaves a login to the environment when no profile is found by %j, and says so',
    label => {
      const at = { ...behindLogin, label };
      expect(list({}, at)).toBe('blockglass list provisions --node "$BLOCKGLASS_NODE" --page-size 50');
      expect([loginHint(at, list({}, at)), loginHint(node, list({}, node))]).toEqual([' (no login)', '']);
    },
  );
});

describe('Equal curl command', () => {
  it('The equal curl command has the URL as one word, with its filters and its order', () => {
    const page = { ...first, filters: { reference: ['a b'] }, newestFirst: false };
    expect(curlCommandText({ ...node, address: 'https://node.example/x' }, liquidityProvisions, page)).toBe(
      "curl -sS 'https://node.example/x/api/v2/liquidity/provisions?reference=a%20b&pagination.first=50&pagination.newestFirst=false'",
    );
  });

  it('The equal curl command takes the address with its login from the environment', () => {
    expect(curlCommandText(behindLogin, liquidityProvisions, first)).toBe(
      `curl -sS "\${BLOCKGLASS_NODE%/}"'/api/v2/liquidity/provisions?pagination.first=50'`,
    );
  });
});

describe('Equal command of a record', () => {
  it('The equal command of a record finds it under the filters it was listed with', () => {
    const page = { ...first, filters: { marketId: ['ab'], live: ['true'] } };
    const row = provision(1, { id: 'an id' });
    expect(showCommandText({ ...node, label: 'demo' }, liquidityProvisions, page, row)).toBe(
      "blockglass show provisions 'an id' --demo --market-id ab --live",
    );
  });
});

describe('Equal command of an export', () => {
  const [table] = EXPORT_TABLES;
  if (table === undefined) throw new Error('no table');
  const plan = {
    table,
    fromBlock: 1n,
    toBlock: 2000n,
    destination: '.',
    mayOverwrite: false,
    keepsIncomplete: false,
  } as const;
  const demo = { ...node, label: 'demo' };

  it('The equal command of an export leaves out what is default', () => {
    expect(exportCommandText(demo, plan)).toBe('blockglass export --demo --table balances --from 1 --to 2000');
  });

  it('The equal command of an export contains what is not default', () => {
    const slices = { segmentsPerSlice: 10, parallel: 1 } as const;
    expect(exportCommandText(behindLogin, { ...plan, slices, keepsIncomplete: true, destination: 'my files' })).toBe(
      'blockglass export --node mainnet --table balances --from 1 --to 2000 --slice 10 --keep-incomplete' +
        " --out 'my files'",
    );
  });

  // A block every hour from 14 September 2026 on, epochs of a day, segments of a hundred blocks.
  const genesisMs = Date.UTC(2026, 8, 14);
  const blockMs = Array.from({ length: 1000 }, (_, index) => genesisMs + index * 3_600_000);
  const { client } = fakeNode({ genesisMs, epochMs: 86_400_000, blockMs });
  const boundaries = listedBoundaries(
    Array.from({ length: 9 }, (_, index) => segment(index * 100 + 1, index * 100 + 100)),
  );
  const place = fc.oneof(
    fc.integer({ min: 1, max: 36 }).map(epoch => `e${epoch}`),
    fc.integer({ min: 0, max: 36 }).map(day => new Date(genesisMs + day * 86_400_000).toISOString().slice(0, 10)),
    fc
      .integer({ min: 0, max: 36 * 1440 })
      .map(minute => new Date(genesisMs + minute * 60_000).toISOString().slice(0, 16)),
  );
  const words = fc.oneof(
    fc.constantFrom('all', 'last 2', 'last-week', 'last-month', 'this-month', '101..400'),
    fc.tuple(place, place).map(ends => ends.join('..')),
  );

  it('The equal command of an export keeps the requested range, whatever its form', async () => {
    const planned = async (text: string, nowMs: number): Promise<ExportPlan | undefined> => {
      const range = parseTypedRange(text);
      if (range === undefined) throw new Error(`${text} names no range`);
      const ground = { asker: client, boundaries, nowMs, signal: new AbortController().signal };
      const found = await resolveRange(range, ground).catch((error: unknown) => {
        if (error instanceof RangeEndError) return undefined;
        throw error;
      });
      if (found === undefined) return undefined;
      const [fromBlock, toBlock] = [found.from.height, found.to.height];
      return { ...plan, fromBlock, toBlock, asked: createRequestedRange(found, rangeKeyword(range)) };
    };
    // An end with no block here, as the first day of last month before the chain began, is that of the files.
    const end = (asked: RequestedEnd | null) => (asked === null || isHeight(asked.name) ? null : asked);
    const kept = (of: ExportPlan | undefined) => {
      if (of?.asked === undefined) return undefined;
      const asked = { name: '', from: end(of.asked.from), to: end(of.asked.to) };
      return createRangeRecord({ ...of, asked });
    };
    const nowMs = fc.integer({ min: genesisMs, max: genesisMs + 60 * 86_400_000 });
    await fc.assert(
      fc.asyncProperty(words, nowMs, async (text, now) => {
        const first = await planned(text, now);
        if (first === undefined) return;
        const [, from = '', to = ''] =
          / --from ('[^']+'|\S+) --to ('[^']+'|\S+)$/.exec(exportCommandText(demo, first)) ?? [];
        const again = await planned(`${from}..${to}`.replaceAll("'", ''), now);
        expect(kept(again)).toEqual(kept(first));
      }),
      {
        numRuns: 300,
        examples: [
          ['e20..e25', genesisMs],
          ['last-week', genesisMs + 8 * 86_400_000],
        ],
      },
    );
    const epochs = await planned('e20..e25', genesisMs);
    expect(epochs && exportCommandText(demo, epochs)).toBe(
      'blockglass export --demo --table balances --from e20 --to e25',
    );
  });
});
