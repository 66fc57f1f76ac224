import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  CONTRACT_PARAMETERS,
  contractsFor,
  readChainIds,
  readContracts,
} from '../../../../src/chain/insight/signer-bundle/contract.ts';

const [primary, others] = CONTRACT_PARAMETERS;
const address = (digit: string): string => `0x${digit.repeat(40)}`;
const chain = (chainId: string | number, digit: string) => ({
  network_id: '9',
  chain_id: chainId,
  collateral_bridge_contract: { address: address('9') },
  multisig_control_contract: { address: address(digit), deployment_block_height: 1 },
});
const ofPrimary = JSON.stringify(chain('1', 'A'));
const ofOthers = JSON.stringify({ configs: [chain(42161, 'b'), chain('100', 'c')] });

it('Multisig contracts are found in the parameter of the primary chain and in that of the others', () => {
  expect(readContracts(primary, ofPrimary)).toEqual([{ parameter: primary, chainId: '1', address: address('a') }]);
  expect(readContracts(others, ofOthers)).toEqual([
    { parameter: others, chainId: '42161', address: address('b') },
    { parameter: others, chainId: '100', address: address('c') },
  ]);
  expect([ofPrimary, ofOthers].flatMap(readChainIds)).toEqual(['1', '42161', '100']);
});

it('Multisig contracts for a bundle without a chain are those of the primary one, otherwise those of its chain', () => {
  const contracts = [...readContracts(primary, ofPrimary), ...readContracts(others, ofOthers)];
  const addresses = (...form: Parameters<typeof contractsFor>) => contractsFor(...form).map(found => found.address);
  const functionName = 'removeSigner';
  expect(addresses({ scheme: 'v1', functionName }, contracts)).toEqual([address('a')]);
  expect(addresses({ scheme: 'v2', functionName, chainId: '1' }, contracts)).toEqual([address('a')]);
  expect(addresses({ scheme: 'v2', functionName, chainId: '100' }, contracts)).toEqual([address('c')]);
  expect(addresses({ scheme: 'v2', functionName, chainId: '5' }, contracts)).toEqual([]);
});

it('Multisig contracts give no chain by a number that JSON has rounded', () => {
  expect(readChainIds('{"chain_id":9007199254740993}')).toEqual([]);
  expect(readChainIds('{"chain_id":"9007199254740993"}')).toEqual(['9007199254740993']);
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
])('Multisig contracts are not found in %s', (_, value) => {
  expect(CONTRACT_PARAMETERS.flatMap(parameter => readContracts(parameter, value))).toEqual([]);
  expect(readChainIds(value)).toEqual([]);
});

it('Multisig contracts are searched for in any JSON without an error', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.string(),
        fc.jsonValue().map(value => JSON.stringify({ configs: [value] })),
      ),
      value => {
        for (const parameter of CONTRACT_PARAMETERS) readContracts(parameter, value);
        readChainIds(value);
      },
    ),
  );
});
