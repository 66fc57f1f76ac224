import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCoreStatus } from '../../../src/chain/api/core-status.ts';
import { type Json, parseJson } from '../../../src/chain/api/json.ts';

const facts = (blockHeight?: string, blockTimeNs?: string) => ({
  rate: {},
  ...(blockHeight !== undefined && { blockHeight }),
  ...(blockTimeNs !== undefined && { blockTimeNs }),
});
const said = (members: { readonly [name: string]: Json }): Json => ({ statistics: members });

describe('Core status', () => {
  it('The core status is compared with the headers of the same response', () => {
    const json = said({ blockHeight: '23763', vegaTime: '2026-11-22T21:28:00Z', appVersion: 'v0.74.10' });
    const core = readCoreStatus({ json, facts: facts('23534', '1795382640000000000') });
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
  ])(
    'The core status has a one-word state for %j, and any state other than connected is a warning',
    (status, state) => {
      expect(readCoreStatus({ json: said({ status }), facts: facts() })?.state).toBe(state);
    },
  );

  it('The core status leaves the lag of the node unknown if one of the two heights is missing', () => {
    expect(readCoreStatus({ json: said({ blockHeight: '7' }), facts: facts() })?.behindBlocks).toBeNull();
    expect(readCoreStatus({ json: said({ blockHeight: '0' }), facts: facts('7') })?.behindBlocks).toBeNull();
    expect(readCoreStatus({ json: said({ blockHeight: 'seven' }), facts: facts('7') })?.behindBlocks).toBeNull();
  });

  it('The core status is null if it is not an object, and no response makes it throw', () => {
    expect(readCoreStatus({ json: { statistics: [] }, facts: facts('7') })).toBeNull();
    const any = fc.json().map(text => parseJson(text));
    fc.assert(
      fc.property(any, fc.string(), (value, height) => {
        readCoreStatus({ json: value, facts: facts(height, height) });
        readCoreStatus({ json: { statistics: value }, facts: facts(height, height) });
        readCoreStatus({ json: said({ blockHeight: value, vegaTime: value, status: value }), facts: facts(height) });
      }),
    );
  });
});
