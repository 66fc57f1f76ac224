import { keccak_256 } from '@noble/hashes/sha3.js';
import { describe, expect, it } from 'vitest';
import { type AbiFunction, findFunction } from '../../../../src/chain/insight/oracle/abi.ts';
import {
  canonicalSignature,
  functionDeclaration,
  functionSelector,
} from '../../../../src/chain/insight/oracle/function-signature.ts';

const found = (abi: unknown, key: string): AbiFunction => {
  const method = findFunction(typeof abi === 'string' ? abi : JSON.stringify(abi), key);
  if ('problem' in method) throw new Error(method.problem);
  return method;
};

const uint = (name = '') => ({ name, type: 'uint256' });
const get = (...inputs: readonly unknown[]) => ({ type: 'function', name: 'get', inputs, outputs: [uint()] });

function told(abi: unknown, key: string) {
  const method = found(abi, key);
  const signature = canonicalSignature(method);
  return [
    functionDeclaration(method),
    signature,
    signature === undefined ? undefined : functionSelector(signature, keccak_256),
  ];
}

describe('Contract method of an oracle spec', () => {
  it('A contract method has a declaration, a signature and the standard four-byte selector', () => {
    const abi = [
      { type: 'function', name: 'balanceOf', inputs: [{ name: 'owner', type: 'address' }], outputs: [uint()] },
      { type: 'function', name: 'transfer', inputs: [{ name: 'to', type: 'address' }, uint('value')] },
      { type: 'function', name: 'latestAnswer', inputs: [], outputs: [{ type: 'int256' }], stateMutability: 'view' },
    ];
    expect(told(abi, 'balanceOf')).toEqual([
      'balanceOf(address owner) returns (uint256)',
      'balanceOf(address)',
      '0x70a08231',
    ]);
    expect(told(abi, 'transfer')).toEqual([
      'transfer(address to, uint256 value)',
      'transfer(address,uint256)',
      '0xa9059cbb',
    ]);
    expect(told(abi, 'latestAnswer')).toEqual(['latestAnswer() view returns (int256)', 'latestAnswer()', '0x50d25bcd']);
  });

  it('A contract method has the types of the members of a structure instead of its name', () => {
    const options = {
      name: 'options',
      type: 'tuple[2][]',
      components: [uint('maxAge'), { name: 'feeds', type: 'bytes32[]' }],
    };
    expect(told([get({ name: 'feed', type: 'bytes32' }, options)], 'get')).toEqual([
      'get(bytes32 feed, (uint256 maxAge, bytes32[] feeds)[2][] options) returns (uint256)',
      'get(bytes32,(uint256,bytes32[])[2][])',
      functionSelector('get(bytes32,(uint256,bytes32[])[2][])', keccak_256),
    ]);
  });

  it('A contract method is read even if inputs, outputs or its own type are missing', () => {
    expect(told('[{"name":"f"}]', 'f').slice(0, 2)).toEqual(['f()', 'f()']);
    expect(told('[{"type":"function","name":"f","outputs":null}]', 'f').slice(0, 2)).toEqual(['f()', 'f()']);
  });

  it('A contract method has the mutability that old compilers wrote', () => {
    expect(told('[{"name":"f","constant":true}]', 'f')[0]).toBe('f() view');
    expect(told('[{"name":"f","constant":true,"payable":true}]', 'f')[0]).toBe('f() payable');
    expect(told('[{"name":"f","stateMutability":"pure","constant":false}]', 'f')[0]).toBe('f() pure');
    expect(told('[{"name":"f","stateMutability":"nonsense"}]', 'f')[0]).toBe('f()');
  });

  it('A contract method that shares its name with others is found by the number that nodes append', () => {
    const abi = [get(), { type: 'event', name: 'get' }, get(uint('a')), get(uint('a'), uint('b'))];
    expect(['get', 'get0', 'get1'].map(key => told(abi, key)[1])).toEqual([
      'get()',
      'get(uint256)',
      'get(uint256,uint256)',
    ]);
    // A name that is another's own is passed over.
    const taken = [{ name: 'get0', inputs: [] }, get(), get(uint('a'))];
    expect(['get0', 'get', 'get1'].map(key => told(taken, key)[1])).toEqual(['get0()', 'get()', 'get(uint256)']);
  });

  it('A contract method has no selector if it has a type that no node accepts', () => {
    const types = [
      'uint',
      'int',
      'fixed128x18',
      'uint7',
      'uint264',
      'uint08',
      'bytes33',
      'bytes0',
      'tuple',
      'money',
      '',
    ];
    for (const type of [...types, 'uint256[', 'uint256[-1]', 'a'.repeat(5000), null, 5])
      expect(canonicalSignature(found([get({ type })], 'get')), String(type)).toBeUndefined();
    for (const type of ['uint8', 'int256', 'bytes1', 'bytes32[][3]', 'bytes', 'string', 'bool', 'address', 'function'])
      expect(canonicalSignature(found([get({ type })], 'get')), type).toBe(`get(${type})`);
  });

  it('A contract method is drawn without control characters, and hashed with them', () => {
    const method = found([{ name: 'g\u001b[31m', inputs: [{ name: 'a\u0007\u202e', type: 'bool' }] }], 'g\u001b[31m');
    expect(functionDeclaration(method)).toBe('g[31m(bool a)');
    expect(canonicalSignature(method)).toBe('g\u001b[31m(bool)');
  });

  it.each([
    ['', 'f', 'the spec has no ABI'],
    ['{', 'f', 'its ABI is not JSON'],
    ['{"abi":[]}', 'f', 'its ABI is not a list of functions'],
    ['null', 'f', 'its ABI is not a list of functions'],
    ['[null,1,"f",[],{},{"type":"receive"}]', 'f', 'its ABI has no function with that name'],
    ['[{"type":"constructor"}]', '', 'its ABI has no function with that name'],
    ['[{"type":"function","name":"get"}]', 'get0', 'its ABI has no function with that name'],
    ['[{"type":"function","name":"get"}]', '__proto__', 'its ABI has no function with that name'],
  ])('The ABI %s has no contract method for the key %s: %s', (abi, key, problem) => {
    expect(findFunction(abi, key)).toEqual({ problem });
  });
});
