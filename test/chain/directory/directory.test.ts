import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_MINE_IDS } from '../../../src/base/settings/mine-file.ts';
import {
  type Directory,
  NO_NAMES,
  nameOf,
  subjectName,
  unitOfAsset,
  unitOfMarket,
} from '../../../src/chain/directory/directory.ts';
import { mineFromLists } from '../../../src/chain/directory/mine.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { asset, directoryWith, market, validator } from './directories.ts';

const id = (start: string): string => start.padEnd(64, '0');
const [A, B, C] = [id('8a2f'), id('77aa'), id('8a2f9')];

const markets = (...named: readonly (readonly [id: string, code: string])[]): Directory =>
  directoryWith({ markets: named.map(([key, code]) => [key, market({ code })]) });

const marketNames = (directory: Directory, ...ids: readonly string[]) =>
  ids.map(key => nameOf(directory, 'market', key));

describe('Name of an ID', () => {
  it('The name of an ID comes from the chain, in any letter case, and is missing when there is none', () => {
    expect(marketNames(markets([A, 'HELDA/HUSD']), A, A.toUpperCase(), B, '')).toEqual([
      ...['HELDA/HUSD', 'HELDA/HUSD'],
      ...[undefined, undefined],
    ]);
    expect(nameOf(NO_NAMES, 'market', A)).toBeUndefined();
  });

  it('The name of an ID belongs to its own kind of entity', () => {
    const directory = directoryWith({
      markets: [[A, market({ code: 'M' })]],
      assets: [[A, asset({ symbol: 'S' })]],
      validators: [[A, validator({ name: 'V', ethereumAddress: '0x01', publicKey: B })]],
    });
    const names = [
      nameOf(directory, 'market', A),
      nameOf(directory, 'asset', A),
      nameOf(directory, 'node', A),
      nameOf(directory, 'submitter', '0x01'),
      nameOf(directory, 'party', B),
      nameOf(directory, 'epoch', A),
    ];
    expect(names).toEqual(['M', 'S', 'V', 'V', 'V', undefined]);
  });

  it('The name of an entity without an ID is missing, such as a validator that has no address yet', () => {
    const nameless = directoryWith({ validators: [[A, validator({ name: 'V', ethereumAddress: '', publicKey: '' })]] });
    expect([nameOf(nameless, 'submitter', ''), nameOf(nameless, 'party', '')]).toEqual([undefined, undefined]);
  });

  it('The name of an ID has digits of it when two names match, and more when a name ends in those', () => {
    expect(marketNames(markets([A, 'X'], [B, 'X'], [C, 'Y']), A, B, C)).toEqual(['X 8a2f', 'X 77aa', 'Y']);
    expect(marketNames(markets([A, 'X'], [C, 'X']), A, C)).toEqual(['X 8a2f0000', 'X 8a2f9000']);
    const ending = marketNames(markets([A, 'X'], [B, 'X'], [C, 'X 8a2f']), A, B, C);
    expect(ending).toEqual(['X 8a2f0000', 'X 77aa', 'X 8a2f 8a2f9000']);
  });

  it.each([
    ['blanks of other widths', 'A B', 'A\u2003 B'],
    ['invisible characters', 'A\u200b', 'A\u200d'],
    ['characters written in another way', '\u00e9', 'e\u0301'],
    ['their case', 'Usdt', 'USDT'],
  ])('The name of an ID has digits of it when two names differ only in %s', (_, one, other) => {
    expect(marketNames(markets([A, one], [B, other]), A, B)).toEqual([
      expect.stringMatching(/ 8a2f$/),
      expect.stringMatching(/ 77aa$/),
    ]);
  });

  it('The name of an address includes everyone who claims it, not only the last one', () => {
    const claimed = (...names: readonly string[]) =>
      nameOf(
        directoryWith({
          validators: names.map((name, index) => [`0${index}`, validator({ name, ethereumAddress: '0xab' })] as const),
        }),
        'submitter',
        '0xAB',
      );
    expect(claimed('A')).toBe('A');
    expect(claimed('A', 'A', ' ')).toBe('A');
    expect(claimed('A', 'B')).toBe('A or B');
    expect(claimed('A', 'B', 'C')).toBe('A or 2 others');
  });

  it('The name of an ID is quoted when it could be read as part of the amount before it', () => {
    const named = ['000 HUSD', '\uff10\uff10\uff10', '1INCH', '1000X', 'Smallest unit'].map(
      (name, index) => [String(index), name] as const,
    );
    const directory = markets(...named);
    expect(marketNames(directory, ...named.map(([id]) => id))).toEqual([
      '"000 HUSD"',
      '"\uff10\uff10\uff10"',
      '1INCH',
      '1000X',
      '"Smallest unit"',
    ]);
  });

  it('The name of an ID is dropped when it looks like an ID, and quoted when it looks like an alias', () => {
    const posing = markets([A, '77aa..0000'], [B, C], [C, '@mine']);
    expect(marketNames(posing, A, B, C)).toEqual([undefined, undefined, '"@mine"']);
    expect(marketNames(markets([A, 'FACE'], [B, ' ']), A, B)).toEqual(['FACE', undefined]);
  });

  it('The name of anything with an ID is the alias of the user when there is one', () => {
    const directory = {
      ...markets([A, 'X']),
      aliases: new Map([
        [A, 'my market'],
        [B, 'cold \u001b[2Jwallet'],
      ]),
    };
    expect(nameOf(directory, 'market', A.toUpperCase())).toBe('@my market');
    expect(nameOf(directory, 'party', B)).toBe('@cold \u241b[2Jwallet');
  });

  it('The name of an ID says “you” for IDs of the user, and for the keys of their validator', () => {
    const node = validator({ name: 'V', ethereumAddress: '0xab', publicKey: B });
    const directory = {
      ...directoryWith({ markets: [[A, market({ code: 'X' })]], validators: [[A, node]] }),
      aliases: new Map([[C, 'cold wallet']]),
      mine: mineFromLists({ parties: [C, A], submitters: [], validators: [A], markets: [] }),
    };
    expect(marketNames({ ...directory, mine: mineFromLists({ ...NO_MINE_IDS, markets: [A, B] }) }, A, B, C)).toEqual([
      ...['X, you', 'you', '@cold wallet'],
    ]);
    expect([nameOf(directory, 'node', A), nameOf(directory, 'submitter', '0xAB')]).toEqual(['V, you', 'V, you']);
    expect([A, B, C].map(party => nameOf(directory, 'party', party))).toEqual(['you', 'V, you', '@cold wallet, you']);
    expect(nameOf({ ...NO_NAMES, mine: mineFromLists({ ...NO_MINE_IDS, parties: [A] }) }, 'asset', A)).toBeUndefined();
  });

  it('The name of an ID in a sentence cannot be taken for two things', () => {
    const directory = {
      ...markets([A, 'X']),
      mine: mineFromLists({ ...NO_MINE_IDS, markets: [A], parties: [B, C] }),
    };
    expect([subjectName(directory, 'market', A), subjectName(directory, 'market', B)]).toEqual(['X (you)', undefined]);
    expect(subjectName(directory, 'party', B)).toBe('your party 77aa');
    expect(subjectName({ ...NO_NAMES, mine: directory.mine }, 'market', A)).toBe('your market');
  });

  it('The name of an ID has digits after “you” when several unnamed IDs are the user’s', () => {
    const directory = { ...NO_NAMES, mine: mineFromLists({ ...NO_MINE_IDS, markets: [A, B, C] }) };
    expect(marketNames(directory, A, B, C)).toEqual(['you 8a2f0000', 'you 77aa0000', 'you 8a2f9000']);
  });

  it('The name of an ID is quoted when it could be read as the user’s', () => {
    const named = ['you', 'YOU 8a2f', 'X, you', 'X (you)', 'X,\uff59\uff4f\uff55', 'young', 'for you'].map(
      (name, index) => [String(index), name] as const,
    );
    expect(marketNames(markets(...named), ...named.map(([key]) => key))).toEqual([
      ...['"you"', '"YOU 8a2f"', '"X, you"', '"X (you)"', '"X,\uff59\uff4f\uff55"', 'young', 'for you'],
    ]);
  });

  it('The name of an ID differs from any other name, and harms no terminal', () => {
    const texts = fc.oneof(
      fc.constantFrom('X', 'X 0', 'X 00', 'x', '@X', '\u001b]0;X\u0007'),
      fc.string({ unit: anyCharacter }),
    );
    const named = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[01]{1,12}$/), texts), { selector: ([key]) => key });
    fc.assert(
      fc.property(named, pairs => {
        const names = marketNames(markets(...pairs), ...pairs.map(([key]) => key)).filter(name => name !== undefined);
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) expect(name).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});

describe('Unit of an amount', () => {
  const directory = directoryWith({
    markets: [
      [A, market({ asset: B.toUpperCase() })],
      [C, market({ asset: '' })],
    ],
    assets: [
      [B, asset({ symbol: 'HU\u001bSD', decimals: 6 })],
      [A, asset({ symbol: 'X', decimals: null })],
    ],
  });

  it('The unit of an amount is its asset, or the settlement asset of its market', () => {
    const unit = { symbol: 'HU\u241bSD', decimals: 6 };
    expect([unitOfAsset(directory, B.toUpperCase()), unitOfMarket(directory, A)]).toEqual([unit, unit]);
  });

  it('The unit of an amount is unknown when the decimals, the asset or the market is unknown', () => {
    const units = [unitOfAsset(directory, A), unitOfAsset(directory, C), unitOfMarket(directory, C)];
    expect([...units, unitOfMarket(directory, B)]).toEqual([undefined, undefined, undefined, undefined]);
  });
});
