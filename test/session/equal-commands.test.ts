import { describe, expect, it } from 'vitest';
import { TABLES } from '../../src/export/tables.ts';
import { liquidityProvisions } from '../../src/resources/liquidity-provisions.ts';
import type { PageRequest } from '../../src/resources/page-request.ts';
import { NO_CONTACT } from '../../src/session/model/contact.ts';
import { curlCommand, exportCommand, listCommand, loginHint, showCommand } from '../../src/session/model/equivalent.ts';
import type { NodeState } from '../../src/session/model/state.ts';
import { provision } from './provision-pages.ts';

const node: NodeState = {
  choice: { kind: 'start' },
  ticket: 0,
  cameFrom: null,
  hasAnswered: true,
  colour: null,
  status: 'ready',
  label: 'mainnet',
  address: 'https://node.example/some path',
  hasLogin: false,
  chainId: null,
  isChainDoubted: false,
  core: null,
  build: { version: '', isDoubted: false },
  height: null,
  contact: NO_CONTACT,
  checking: null,
  ratePerSecond: null,
  blockedUntilMs: 0,
  nowMs: 0,
};
const behindLogin: NodeState = { ...node, address: 'https://node.example', hasLogin: true };
const first: PageRequest = { filters: {}, size: 50, newestFirst: true, position: { kind: 'first' } };
const list = (page: Partial<PageRequest>, at: NodeState = { ...node, label: 'demo' }) =>
  listCommand(at, liquidityProvisions, { ...first, ...page });

describe('the equal command of a page', () => {
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
    'is, for %s, as typed',
    (_, page, flags) => {
      expect(list(page)).toBe(`blockglass list provisions --demo ${flags}`);
    },
  );

  it('names the node by its address, as one word', () => {
    expect(list({}, node)).toBe("blockglass list provisions --node 'https://node.example/some path' --page-size 50");
  });

  it('leaves a login to the settings where they have it, by the name of the profile', () => {
    expect(list({}, behindLogin)).toBe('blockglass list provisions --node mainnet --page-size 50');
    expect(list({}, { ...behindLogin, label: 'my node' })).toContain(" --node 'my node' ");
    expect(loginHint(behindLogin, list({}, behindLogin))).toBe('');
  });

  // By what `--node` takes for an address, a flag or nothing a profile is not found.
  it.each(['', 'node.example', 'localhost', 'me@node', '-x', 'a\nb', '\u001b[2J'])(
    'leaves a login to the environment where no profile is found by %j, and says so',
    label => {
      const at = { ...behindLogin, label };
      expect(list({}, at)).toBe('blockglass list provisions --node "$BLOCKGLASS_NODE" --page-size 50');
      expect([loginHint(at, list({}, at)), loginHint(node, list({}, node))]).toEqual([' (no login)', '']);
    },
  );
});

describe('the equal request', () => {
  it('is one word for curl, with its filters and its order', () => {
    const page = { ...first, filters: { reference: ['a b'] }, newestFirst: false };
    expect(curlCommand({ ...node, address: 'https://node.example/x' }, liquidityProvisions, page)).toBe(
      "curl -sS 'https://node.example/x/api/v2/liquidity/provisions?reference=a%20b&pagination.first=50&pagination.newestFirst=false'",
    );
  });

  it('takes the address with its login from the environment', () => {
    expect(curlCommand(behindLogin, liquidityProvisions, first)).toBe(
      `curl -sS "\${BLOCKGLASS_NODE%/}"'/api/v2/liquidity/provisions?pagination.first=50'`,
    );
  });
});

describe('the equal command of a record', () => {
  it('finds it under the filters it was listed with', () => {
    const page = { ...first, filters: { marketId: ['ab'], live: ['true'] } };
    const row = provision(1, { id: 'an id' });
    expect(showCommand({ ...node, label: 'demo' }, liquidityProvisions, page, row)).toBe(
      "blockglass show provisions 'an id' --demo --market-id ab --live",
    );
  });
});

describe('the equal command of an export', () => {
  const [table] = TABLES;
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

  it('says nothing of what is as usual', () => {
    expect(exportCommand(demo, plan)).toBe('blockglass export --demo --table balances --from 1 --to 2000');
  });

  it('says what is not', () => {
    const slices = { segmentsPerSlice: 10, parallel: 1, isMerged: false } as const;
    expect(exportCommand(behindLogin, { ...plan, slices, keepsIncomplete: true, destination: 'my files' })).toBe(
      'blockglass export --node mainnet --table balances --from 1 --to 2000 --slice 10 --keep-incomplete' +
        " --out 'my files'",
    );
  });
});
