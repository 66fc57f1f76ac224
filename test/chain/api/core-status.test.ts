import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coreOf } from '../../../src/chain/api/core-status.ts';
import { type Json, parseJson } from '../../../src/chain/api/json.ts';

const facts = (blockHeight?: string, blockTimeNs?: string) => ({
  rate: {},
  ...(blockHeight !== undefined && { blockHeight }),
  ...(blockTimeNs !== undefined && { blockTimeNs }),
});
const said = (members: { readonly [name: string]: Json }): Json => ({ statistics: members });

describe('what a node says of its core', () => {
  it('is compared with the headers of the very answer', () => {
    const json = said({ blockHeight: '23763', vegaTime: '2026-11-22T21:28:00Z', appVersion: 'v0.74.10' });
    const core = coreOf({ json, facts: facts('23534', '1795382640000000000') });
    expect(core).toMatchObject({ version: 'v0.74.10', behindBlocks: 229n, behindMs: 240_000, state: null });
  });

  it.each([
    ['CHAIN_STATUS_CONNECTED', 'connected'],
    ['CHAIN_STATUS_REPLAYING', 'replaying'],
    ['CHAIN_STATUS_UNSPECIFIED', 'unspecified'],
    ['on fire', 'on fire'],
    [7, '7'],
    ['', null],
    ['x'.repeat(99), 'x'.repeat(40)],
  ])('has a state in one word of %j: any other than connected is a warning', (status, state) => {
    expect(coreOf({ json: said({ status }), facts: facts() })?.state).toBe(state);
  });

  it('leaves open how far behind the node is where one of the two heights is not told', () => {
    expect(coreOf({ json: said({ blockHeight: '7' }), facts: facts() })?.behindBlocks).toBeNull();
    expect(coreOf({ json: said({ blockHeight: '0' }), facts: facts('7') })?.behindBlocks).toBeNull();
    expect(coreOf({ json: said({ blockHeight: 'seven' }), facts: facts('7') })?.behindBlocks).toBeNull();
  });

  it('says nothing where it is no object, and throws for no answer', () => {
    expect(coreOf({ json: { statistics: [] }, facts: facts('7') })).toBeNull();
    const any = fc.json().map(text => parseJson(text));
    fc.assert(
      fc.property(any, fc.string(), (value, height) => {
        coreOf({ json: value, facts: facts(height, height) });
        coreOf({ json: { statistics: value }, facts: facts(height, height) });
        coreOf({ json: said({ blockHeight: value, vegaTime: value, status: value }), facts: facts(height) });
      }),
    );
  });
});
