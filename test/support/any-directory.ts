import fc from 'fast-check';
import type { AssetEntry, Directory, MarketEntry, ValidatorEntry } from '../../src/chain/directory/directory.ts';
import { anyHex, anyText } from './any-text.ts';

// Those that the full records speak of.
const id = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 15 }).map(number => `0${number.toString(16)}`), weight: 9 },
  { arbitrary: anyText.map(text => text.toLowerCase()), weight: 1 },
);

const places = fc.option(fc.integer({ min: -77, max: 77 }));

const market: fc.Arbitrary<MarketEntry> = fc.record({
  ...{ code: anyText, name: anyText, state: anyText, decimalPlaces: places, positionDecimalPlaces: places, asset: id },
  specs: fc.array(fc.record({ use: fc.constantFrom('settlement', 'termination', 'schedule'), specId: id }), {
    maxLength: 3,
  }),
});

const asset: fc.Arbitrary<AssetEntry> = fc.record({
  ...{ symbol: anyText, name: anyText, status: anyText, quantum: anyText },
  decimals: fc.option(fc.nat(77)),
});

const validator: fc.Arbitrary<ValidatorEntry> = fc.record({
  ...{ name: anyText, status: anyText, publicKey: id },
  ethereumAddress: fc.oneof(anyHex, anyText, id).map(text => text.toLowerCase()),
});

const mapOf = <Entry>(entry: fc.Arbitrary<Entry>): fc.Arbitrary<ReadonlyMap<string, Entry>> =>
  fc.array(fc.tuple(id, entry), { maxLength: 8 }).map(entries => new Map(entries));

/** Names and decimals as a chain may give them to the ids of the full records. */
export const anyDirectory: fc.Arbitrary<Directory> = fc.record({
  ...{ markets: mapOf(market), assets: mapOf(asset), validators: mapOf(validator) },
  aliases: fc.array(fc.tuple(id, anyText), { maxLength: 3 }).map(entries => new Map(entries)),
});
