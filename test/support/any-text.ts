import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

const digits = fc.bigInt({ min: 0n, max: 2n ** 70n }).map(String);

const number = fc.oneof(
  digits,
  digits.map(text => `-${text}`),
  fc
    .tuple(fc.constantFrom('', '-', '+'), digits, fc.constantFrom('.', '.000', '.5', 'e-8', 'e3', 'E999'), digits)
    .map(parts => parts.join('')),
  fc.constantFrom(String(2n ** 256n), String(2n ** 256n - 1n), String(10n ** 400n), String(-(10n ** 400n)), '00', '-0'),
  fc.constantFrom('.', '-', '+', '.5', '5.', '0.0', '1e5', '1e-18', '1e400', '9'.repeat(1100), `0.${'1'.repeat(1098)}`),
);

const hexDigit = fc.constantFrom(...'0123456789abcdefABCDEF');
const hexOf = (length: number): fc.Arbitrary<string> =>
  fc.array(hexDigit, { minLength: length, maxLength: length }).map(parts => parts.join(''));

/** Hex digits of usual lengths, with 0x and without. */
export const anyHex = fc
  .tuple(fc.constantFrom('', '0x', '0X'), fc.constantFrom(0, 1, 2, 39, 40, 64, 130, 260).chain(hexOf))
  .map(parts => parts.join(''));

const time = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', '-', '+'),
      fc.array(
        fc.tuple(
          fc.constantFrom('0', '1', '1.5', '.5', '90', '1e3'),
          fc.constantFrom('h', 'm', 's', 'ms', 'us', '\u00b5s', 'ns', 'd', ''),
        ),
        { maxLength: 4 },
      ),
    )
    .map(([sign, parts]) => `${sign}${parts.flat().join('')}`),
  fc.constantFrom(
    '9223372036854775807ns',
    '9223372036854775808ns',
    '-9223372036854775808ns',
    '8760h0m0s',
    '2562047h48m',
  ),
  fc.constantFrom('1700000000123456789', '1700000000', '99999999999', '99999999999999999999', '2026-11-20T15:11:03.5Z'),
);

const base64 = fc.uint8Array({ minLength: 31, maxLength: 33 }).map(bytes => Buffer.from(bytes).toString('base64'));

const word = fc.constantFrom(
  ...[
    '',
    ' ',
    '\n',
    '0x',
    'true',
    'false',
    'null',
    '{}',
    '[]',
    '""',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
  ],
  ...['STATUS_ACTIVE', 'STATUS_PENDING', 'STATUS_', 'TYPE_INTEGER', 'TYPE_DECIMAL', 'TYPE_TIMESTAMP', 'TYPE_EMPTY'],
  ...[
    'OPERATOR_EQUALS',
    'OPERATOR_GREATER_THAN',
    'OPERATOR_LESS_THAN',
    'tuple',
    'tuple[]',
    'uint256',
    'bytes32',
    'bool',
  ],
  ...['$', '$[0]', '$[0].price', '$[999].a.b', 'get', 'get0', 'reward.asset', 'validators.epoch.length', 'a\nb.c | d'],
  ...[
    'governance.proposal.market.minClose',
    'governance.proposal.__proto__.minClose',
    'governance.proposal.asset.constructor',
  ],
  ...['market.fee.factors.makerFee', 'spam.pow.difficulty', 'unknown.thing.delay', 'spot.market.trading.enabled'],
);

const hostile = fc.oneof(
  fc
    .array(
      fc.constantFrom(
        '\u001b[31m',
        '\u009b2J',
        '\u202e',
        '\u0000',
        '\r\n',
        '\ud800',
        '\udc00',
        '\u200d',
        '\u0301',
        '\ufeff',
        'a',
        '"',
        '\\',
        "'",
        '`',
        '$(x)',
      ),
      {
        maxLength: 8,
      },
    )
    .map(parts => parts.join('')),
  fc.string({ unit: anyCharacter }),
);

const abi = fc.constantFrom(
  '[{"type":"function","name":"get","inputs":[{"name":"f","type":"bytes32"}],"outputs":[{"name":"","type":"int256"}]}]',
  '[{"name":"get","inputs":[{"type":"tuple","components":[{"type":"uint256[2]"}]}],"payable":true},{"name":"get"}]',
  '{"chain_id":"1","multisig_control_contract":{"address":"0x0000000000000000000000000000000000000001"}}',
  '{"configs":[{"chain_id":1.5,"multisig_control_contract":[]},null,{"chain_id":"x"}]}',
  '{"triggers":[{"horizon":"360","probability":"0.99"}],"__proto__":[1]}',
);

/** Longer than anything that is meant. */
export const LONG: readonly string[] = [
  ...['1', 'a', '[', '0.', '{"a":', ' ', 'A', '\u0301', '0x', '1h', '.', '\\', '\u001b', '\ud800', 'a.', '|', '-'],
].map(part => part.repeat(Math.ceil(100_000 / part.length)));

/** Text as a node may send it: anything, but most of all what looks like something. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: number, weight: 24 },
  { arbitrary: hostile, weight: 16 },
  { arbitrary: word, weight: 24 },
  { arbitrary: anyHex, weight: 10 },
  { arbitrary: time, weight: 12 },
  { arbitrary: fc.json(), weight: 8 },
  { arbitrary: abi, weight: 4 },
  { arbitrary: base64, weight: 3 },
  { arbitrary: fc.constantFrom(...LONG), weight: 2 },
);

/** Numbers that are none of the program's own. */
export const anyNumber: fc.Arbitrary<number> = fc.oneof(fc.nat(80), fc.integer(), fc.double());

export const anyBigint: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt(),
  fc.bigInt({ min: -5n, max: 100n }),
  fc.constantFrom(2n ** 256n, -(2n ** 64n), 10n ** 400n),
);

/** The clock of the program. */
export const nowMs = fc.integer({ min: 0, max: 4_102_444_800_000 });

/** A list of which most are short. */
export const some = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> => fc.array(value, { maxLength: 6 });
