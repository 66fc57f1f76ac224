import * as v from 'valibot';
import { LONGEST_TEXT, MOST_ENTRIES, MOST_PLACES, MOST_SPECS } from './fetch-directory.ts';

const text = v.pipe(v.string(), v.maxLength(LONGEST_TEXT));
const places = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(-MOST_PLACES), v.maxValue(MOST_PLACES)));
const decimals = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MOST_PLACES)));
const use = v.picklist(['settlement', 'termination', 'schedule', 'mark-price', 'internal-composite-price']);

const market = v.strictObject({
  code: text,
  name: text,
  state: text,
  decimalPlaces: places,
  positionDecimalPlaces: places,
  asset: text,
  specs: v.pipe(
    v.array(v.strictObject({ use, specId: text, definition: v.exactOptional(text) })),
    v.maxLength(MOST_SPECS),
  ),
});
const asset = v.strictObject({ symbol: text, name: text, status: text, decimals, quantum: text });
const validator = v.strictObject({ name: text, ethereumAddress: text, publicKey: text, status: text });

const entriesOf = <const Entry extends v.GenericSchema>(entry: Entry) =>
  v.pipe(v.array(v.strictTuple([text, entry])), v.maxLength(MOST_ENTRIES));

/** The names of a chain as files hold them: entries by id. */
export const NAMES = {
  markets: entriesOf(market),
  assets: entriesOf(asset),
  validators: entriesOf(validator),
} as const;
