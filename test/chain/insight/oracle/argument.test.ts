import { describe, expect, it } from 'vitest';
import { argumentText, normaliserText } from '../../../../src/chain/insight/oracle/abi.ts';
import { chainText } from '../../../../src/chain/insight/oracle/data-source.ts';

const HEX = 'e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43';
const BASE64 = Buffer.from(HEX, 'hex').toString('base64');

describe('Call argument of an oracle spec', () => {
  it('A call argument of 32 bytes is shown as it was given, not as nodes store it', () => {
    expect(argumentText(JSON.stringify(BASE64), 'bytes32')).toBe(`0x${HEX}`);
    expect(argumentText(JSON.stringify(BASE64), 'bytes')).toBe(`0x${HEX}`);
  });

  it('A call argument of another type is not shown as bytes even if it looks like them', () => {
    expect(argumentText(JSON.stringify(BASE64), 'string')).toBe(BASE64);
    expect(argumentText(JSON.stringify(BASE64), '')).toBe(BASE64);
  });

  it.each([
    ['"feed"', 'bytes32', 'feed'],
    [JSON.stringify(`0x${HEX}`), 'bytes32', `0x${HEX}`],
    // Bits that no byte holds: another text than the one that was made of the bytes.
    [JSON.stringify(`${BASE64.slice(0, 42)}/=`), 'bytes32', `${BASE64.slice(0, 42)}/=`],
    [JSON.stringify(Buffer.alloc(31).toString('base64')), 'bytes32', Buffer.alloc(31).toString('base64')],
    ['9007199254740993', 'uint256', '9007199254740993'],
    ['{"maxAge":60}', 'tuple', '{"maxAge":60}'],
    ['null', 'bool', 'null'],
    ['"\\u001b"', 'string', '\u001b'],
    ['"broken', 'string', '"broken'],
    ['', 'string', ''],
  ])('A call argument %s of type %s is shown as %s', (json, type, text) => {
    expect(argumentText(json, type)).toBe(text);
  });
});

describe('Source of a call value', () => {
  const price = { name: 'price', type: 'int64', components: [] };
  const method = {
    ...{ name: 'f', inputs: [], mutability: '' },
    outputs: [
      { name: '', type: 'bool', components: [] },
      { name: 'p', type: 'tuple', components: [price] },
    ],
  };
  it.each([
    ['$[0]', '$[0], the bool that is returned'],
    ['$[1].price', '$[1].price, the int64 price that is returned'],
    ['$[1].none', '$[1].none'],
    ['$[0].price', '$[0].price'],
    ['$[9]', '$[9]'],
    ['$[*]', '$[*]'],
    ['$[?(@.a > 1)]', '$[?(@.a > 1)]'],
    [`$[1]${'.price'.repeat(100)}`, `$[1]${'.price'.repeat(100)}`],
    ['66', 'always 66'],
    ['true', 'always true'],
    ['', 'not given'],
  ])('The source of a call value is explained: %s: %s', (expression, words) => {
    expect(normaliserText({ name: 'n', expression }, method)).toBe(words);
    if (expression.startsWith('$')) expect(normaliserText({ name: 'n', expression }, undefined)).toBe(expression);
  });
});

it.each([
  ['1', 'Ethereum mainnet'],
  ['42161', 'Arbitrum One (chain 42161)'],
  ['987654321', 'chain 987654321'],
  ['toString', 'chain toString'],
  ['0', 'a chain the node does not name'],
  ['', 'a chain the node does not name'],
])('The chain %j of an oracle call is shown as %s', (id, words) => {
  expect(chainText(id)).toBe(words);
});
