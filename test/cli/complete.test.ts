import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownParameter } from '../../src/chain/insight/parameter/known-parameter.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { completeWords, type KnownValues } from '../../src/cli/complete.ts';
import { commonFlags } from '../../src/cli/flags.ts';
import { TAB_IDS } from '../../src/explorer/tabs.ts';
import { asset, directoryWith, market, validator } from '../chain/directory/directories.ts';
import { run } from './run-command.ts';

const NAMES = directoryWith({
  markets: [
    ['ab12', market({ code: 'BTC/USDT' })],
    ['cd34', market({ code: 'ETH/USDT' })],
  ],
  assets: [['ef56', asset({ symbol: 'USDT' })]],
  validators: [['0f', validator({ name: 'Validator 3' })]],
});
const known: KnownValues = {
  usualNode: 'main',
  profiles: { main: { url: 'http://n', presets: { daily: ['--table', 'ledger'] } }, other: 'http://o' },
  names: async node => (node === 'main' ? NAMES : {}),
  mine: () => ({ c: { parties: ['ab'], submitters: ['0x1'], validators: [], markets: [] } }),
  tabs: TAB_IDS,
};
/** What the line can become at its end. */
const tab = (line: string) => completeWords(line.split(' '), COMMANDS, known);

describe('Shell completion', () => {
  it.each([
    ['se', ['segments', 'serve']],
    ['list pro', ['provisions']],
    ['query -o n', ['ndjson']],
    ['query --even', ['--even-incomplete']],
    ['query --tables ', []],
    ['query x ', []],
    ['list fees --sort epo', ['epoch', 'epoch:desc']],
    ['list --node other fees --freq tot', ['total']],
    ['list fees --epoch-seq ', []],
    ['export --table le', ['ledger']],
    ['export --from ', []],
    ['export --range l', ['last-week', 'last-month']],
    ['list fees --node ', ['main', 'other']],
    ['--node m', ['main']],
    ['--node=m', ['--node=main']],
    ['--node main expo', ['export']],
    ['--demo list bun', ['bundles']],
    ['list fees -o nd', ['ndjson']],
    ['--theme d', ['dark']],
    ['node re', ['remove']],
    ['node use o', ['other']],
    ['node add o', []],
    ['node add o http://o --colour g', ['green']],
    ['answer re', ['received', 'rewards']],
    ['answer trades --by ', ['day', 'month']],
    ['answer trades no-such.zip --market a', ['ab12']],
    ['answer received ', []],
    ['mine re', ['remove']],
    ['mine add --kind ', ['party', 'submitter', 'validator', 'market']],
    ['mine add c', ['cd34']],
    ['mine add 0', ['0f']],
    ['mine remove ', ['ab', '0x1']],
    ['mine list a', []],
    ['mine remove --chain ', ['c']],
    ['config sh', ['show']],
    ['completion f', ['fish']],
    ['verify exp', []],
    ['export --out ex', []],
    ['explore par', ['parameters']],
    ['nonsense ', TAB_IDS],
    ['show parameters validators.epoch.', ['validators.epoch.length']],
    ['--demo show parameters rewards.vesting.b', ['rewards.vesting.baseRate', 'rewards.vesting.benefitTiers']],
    ['show parameters --meaning governance.proposal.freeform.minC', ['governance.proposal.freeform.minClose']],
    ['show --meaning parameters validators.epoch.', ['validators.epoch.length']],
    ['show --raw --node main markets ab', ['ab12']],
    ['list --all fees --sort epo', ['epoch', 'epoch:desc']],
    ['list --live provisions --ma', ['--market-id']],
    ['list --live true provisions --ma', ['--market-id']],
    ['mine add --demo ', []],
    ['show --node main markets ', ['ab12', 'cd34', 'BTC/USDT', 'ETH/USDT']],
    ['show markets --node other ', []],
    ['--demo show markets ', []],
    ['show bundles ', []],
    ['show constructor ', []],
    ['show __proto__ ', []],
    ['show parameters validators.epoch.length ', []],
    ['list fees --market-id a', ['ab12']],
    ['list fees --market-id=c', ['--market-id=cd34']],
    ['list fees --market-id BTC', ['BTC/USDT']],
    ['list bundles --node-id ', ['0f']],
    ['statement --market ', ['ab12', 'cd34', 'BTC/USDT', 'ETH/USDT']],
    ['statement --asset ', ['ef56', 'USDT']],
    ['statement --party ', []],
    ['statement --epochs ', []],
    ['convert --ddl s', ['spark']],
  ])('The completion of "%s" is %j', async (line, values) => {
    expect(await tab(line)).toEqual(values);
  });

  it('The completion of a parameter is one that blockglass knows', async () => {
    const keys = await tab('show parameters ');
    expect(keys.length).toBeGreaterThan(100);
    expect(keys.filter(key => knownParameter(key) === undefined)).toEqual([]);
  });

  it.each(['-o', '--log=/x', '', ' ', 'a b', 'a\nb', '$(x)', 'a;b', '\u001b[2J', '\u202e', 'x'.repeat(300), '~', '*'])(
    'The completion of a market offers no code that a shell or the program takes for something else: %j',
    async code => {
      const names = directoryWith({ markets: [['ab12', market({ code })]] });
      const words = ['show', 'markets', ''];
      expect(await completeWords(words, COMMANDS, { ...known, names: async () => names })).toEqual(['ab12']);
    },
  );

  it.each(Object.keys(COMMANDS))(
    'The completion of the flags of %s has all flags, and only the filters of the resource',
    async name => {
      const command = await COMMANDS[name]?.();
      const values = await tab(`${name} ${command?.form.startsWith('<resource>') ? 'fees ' : ''}--`);
      // Filters of another resource; the live chain of serve is no filter.
      const other = name === 'serve' ? ['--reference'] : ['--live', '--reference'];
      const names = [...(command?.flags ?? []), ...commonFlags(command?.uses ?? [])].map(flag => `--${flag.name}`);
      for (const value of values) expect(names).toContain(value);
      if (command?.form.startsWith('<resource>')) expect(values).toContain('--epoch-seq');
      else expect(values).toEqual([...new Set(names)]);
      for (const flag of other) expect(values).not.toContain(flag);
    },
  );

  it('The completion of any input starts with that input, and never fails', async () => {
    const word = fc.oneof(fc.constantFrom('list', 'export', '--node', '--', '-o', '--sort', 'fees', ''), fc.string());
    await fc.assert(
      fc.asyncProperty(fc.array(word), async words => {
        const typed = words.at(-1) ?? '';
        for (const value of await completeWords(words, COMMANDS, known)) expect(value.startsWith(typed)).toBe(true);
      }),
    );
  });

  it('The completion is printed one value per line, whatever the settings are', async () => {
    const settings = () => Promise.reject(new Error('broken'));
    expect(await run(['completion', 'values', '--demo', 'list', 'fe'], { settings })).toEqual({
      code: 0,
      out: 'fees\n',
      err: '',
    });
  });
});
