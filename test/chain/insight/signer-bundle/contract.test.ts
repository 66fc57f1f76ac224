import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  chainIdsIn,
  contractsFor,
  contractsIn,
  PARAMETERS,
} from '../../../../src/chain/insight/signer-bundle/contract.ts';

const [primary, others] = PARAMETERS;
const address = (digit: string): string => `0x${digit.repeat(40)}`;
const chain = (chainId: string | number, digit: string) => ({
  network_id: '9',
  chain_id: chainId,
  collateral_bridge_contract: { address: address('9') },
  multisig_control_contract: { address: address(digit), deployment_block_height: 1 },
});
const ofPrimary = JSON.stringify(chain('1', 'A'));
const ofOthers = JSON.stringify({ configs: [chain(42161, 'b'), chain('100', 'c')] });

it('are found in the parameter of the primary chain and in that of the others', () => {
  expect(contractsIn(primary, ofPrimary)).toEqual([{ parameter: primary, chainId: '1', address: address('a') }]);
  expect(contractsIn(others, ofOthers)).toEqual([
    { parameter: others, chainId: '42161', address: address('b') },
    { parameter: others, chainId: '100', address: address('c') },
  ]);
  expect([ofPrimary, ofOthers].flatMap(chainIdsIn)).toEqual(['1', '42161', '100']);
});

it('are for a bundle without a chain those of the primary one, and else those of its chain', () => {
  const contracts = [...contractsIn(primary, ofPrimary), ...contractsIn(others, ofOthers)];
  const addresses = (...form: Parameters<typeof contractsFor>) => contractsFor(...form).map(found => found.address);
  const functionName = 'removeSigner';
  expect(addresses({ scheme: 'v1', functionName }, contracts)).toEqual([address('a')]);
  expect(addresses({ scheme: 'v2', functionName, chainId: '1' }, contracts)).toEqual([address('a')]);
  expect(addresses({ scheme: 'v2', functionName, chainId: '100' }, contracts)).toEqual([address('c')]);
  expect(addresses({ scheme: 'v2', functionName, chainId: '5' }, contracts)).toEqual([]);
});

it('name no chain by a number that JSON has rounded', () => {
  expect(chainIdsIn('{"chain_id":9007199254740993}')).toEqual([]);
  expect(chainIdsIn('{"chain_id":"9007199254740993"}')).toEqual(['9007199254740993']);
});

it.each([
  ['the value that a chain begins with', '{"chain_id":"XXX","multisig_control_contract":{"address":"0xXXX"}}'],
  ['nothing', ''],
  ['no JSON', '{'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a number', '5'],
  ['configs that are no list', '{"configs":{"0":{}}}'],
  ['configs of nothing', '{"configs":[null,5,"x",[]]}'],
  ['members of a prototype', '{"__proto__":{"chain_id":"1"}}'],
])('are not found in %s', (_, value) => {
  expect(PARAMETERS.flatMap(parameter => contractsIn(parameter, value))).toEqual([]);
  expect(chainIdsIn(value)).toEqual([]);
});

it('are looked for in any JSON without a word', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.string(),
        fc.jsonValue().map(value => JSON.stringify({ configs: [value] })),
      ),
      value => {
        for (const parameter of PARAMETERS) contractsIn(parameter, value);
        chainIdsIn(value);
      },
    ),
  );
});
