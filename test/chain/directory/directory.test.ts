import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_IDS } from '../../../src/base/settings/mine-file.ts';
import {
  type Directory,
  NO_NAMES,
  nameOf,
  subjectNamed,
  unitOfAsset,
  unitOfMarket,
} from '../../../src/chain/directory/directory.ts';
import { mineFrom } from '../../../src/chain/directory/mine.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { asset, directoryWith, market, validator } from './directories.ts';

const id = (start: string): string => start.padEnd(64, '0');
const [A, B, C] = [id('8a2f'), id('77aa'), id('8a2f9')];

const markets = (...named: readonly (readonly [id: string, code: string])[]): Directory =>
  directoryWith({ markets: named.map(([key, code]) => [key, market({ code })]) });

const marketNames = (directory: Directory, ...ids: readonly string[]) =>
  ids.map(key => nameOf(directory, 'market', key));

describe('the name of an id', () => {
  it('is that of the chain, whatever case the id is in, and none where nobody has named it', () => {
    expect(marketNames(markets([A, 'HELDA/HUSD']), A, A.toUpperCase(), B, '')).toEqual([
      ...['HELDA/HUSD', 'HELDA/HUSD'],
      ...[undefined, undefined],
    ]);
    expect(nameOf(NO_NAMES, 'market', A)).toBeUndefined();
  });

  it('is of its own kind of thing', () => {
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

  it('is none of a thing without an id, such as a validator that has no address yet', () => {
    const nameless = directoryWith({ validators: [[A, validator({ name: 'V', ethereumAddress: '', publicKey: '' })]] });
    expect([nameOf(nameless, 'submitter', ''), nameOf(nameless, 'party', '')]).toEqual([undefined, undefined]);
  });

  it('has digits of the id beside it where two are called the same, and more of them where a name ends in those', () => {
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
  ])('has digits beside it where two differ only in %s', (_, one, other) => {
    expect(marketNames(markets([A, one], [B, other]), A, B)).toEqual([
      expect.stringMatching(/ 8a2f$/),
      expect.stringMatching(/ 77aa$/),
    ]);
  });

  it('is that of each who claims an address, and not of the last one alone', () => {
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

  it('is quoted where it would pass for a part of the amount before it', () => {
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

  it('is none where it would pass for an id, and is quoted where it would pass for a word of the user', () => {
    const posing = markets([A, '77aa..0000'], [B, C], [C, '@mine']);
    expect(marketNames(posing, A, B, C)).toEqual([undefined, undefined, '"@mine"']);
    expect(marketNames(markets([A, 'FACE'], [B, ' ']), A, B)).toEqual(['FACE', undefined]);
  });

  it('is the word of the user where there is one, for anything that has an id', () => {
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

  it('says “you” of what is the user’s, beside the name or in its place, and of the keys of a validator of theirs', () => {
    const node = validator({ name: 'V', ethereumAddress: '0xab', publicKey: B });
    const directory = {
      ...directoryWith({ markets: [[A, market({ code: 'X' })]], validators: [[A, node]] }),
      aliases: new Map([[C, 'cold wallet']]),
      mine: mineFrom({ parties: [C, A], submitters: [], validators: [A], markets: [] }),
    };
    expect(marketNames({ ...directory, mine: mineFrom({ ...NO_IDS, markets: [A, B] }) }, A, B, C)).toEqual([
      ...['X, you', 'you', '@cold wallet'],
    ]);
    expect([nameOf(directory, 'node', A), nameOf(directory, 'submitter', '0xAB')]).toEqual(['V, you', 'V, you']);
    expect([A, B, C].map(party => nameOf(directory, 'party', party))).toEqual(['you', 'V, you', '@cold wallet, you']);
    expect(nameOf({ ...NO_NAMES, mine: mineFrom({ ...NO_IDS, parties: [A] }) }, 'asset', A)).toBeUndefined();
  });

  it('is said in sentences so that nobody takes it for two things', () => {
    const directory = {
      ...markets([A, 'X']),
      mine: mineFrom({ ...NO_IDS, markets: [A], parties: [B, C] }),
    };
    expect([subjectNamed(directory, 'market', A), subjectNamed(directory, 'market', B)]).toEqual([
      'X (you)',
      undefined,
    ]);
    expect(subjectNamed(directory, 'party', B)).toBe('your party 77aa');
    expect(subjectNamed({ ...NO_NAMES, mine: directory.mine }, 'market', A)).toBe('your market');
  });

  it('has digits beside “you” where several without a name are the user’s', () => {
    const directory = { ...NO_NAMES, mine: mineFrom({ ...NO_IDS, markets: [A, B, C] }) };
    expect(marketNames(directory, A, B, C)).toEqual(['you 8a2f0000', 'you 77aa0000', 'you 8a2f9000']);
  });

  it('is quoted where it would pass for the user’s', () => {
    const named = ['you', 'YOU 8a2f', 'X, you', 'X (you)', 'X,\uff59\uff4f\uff55', 'young', 'for you'].map(
      (name, index) => [String(index), name] as const,
    );
    expect(marketNames(markets(...named), ...named.map(([key]) => key))).toEqual([
      ...['"you"', '"YOU 8a2f"', '"X, you"', '"X (you)"', '"X,\uff59\uff4f\uff55"', 'young', 'for you'],
    ]);
  });

  it('reads otherwise than that of any other, and harms no terminal', () => {
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

describe('the unit of an amount', () => {
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

  it('is that of its asset, or of what its market settles in', () => {
    const unit = { symbol: 'HU\u241bSD', decimals: 6 };
    expect([unitOfAsset(directory, B.toUpperCase()), unitOfMarket(directory, A)]).toEqual([unit, unit]);
  });

  it('is not known where the decimals are not, or the asset, or the market', () => {
    const units = [unitOfAsset(directory, A), unitOfAsset(directory, C), unitOfMarket(directory, C)];
    expect([...units, unitOfMarket(directory, B)]).toEqual([undefined, undefined, undefined, undefined]);
  });
});
