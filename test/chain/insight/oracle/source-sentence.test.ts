import { describe, expect, it } from 'vitest';
import { loadAddressSpelling } from '../../../../src/chain/insight/address.ts';
import type { DataSource } from '../../../../src/chain/insight/oracle/data-source.ts';
import { sourceSentence, watchesSentence } from '../../../../src/chain/insight/oracle/source-sentence.ts';
import { VECTORS } from '../signer-bundle/vectors.ts';

const above = { operator: 'OPERATOR_GREATER_THAN', value: '0' };
const below = { operator: 'OPERATOR_LESS_THAN_OR_EQUAL', value: '4300050' };
const price = { key: { name: 'price', type: 'TYPE_INTEGER', decimalPlaces: '2' }, conditions: [above, below] };
const note = { key: { name: 'note', type: 'TYPE_EMPTY', decimalPlaces: '' }, conditions: [] };
const since = { operator: 'OPERATOR_GREATER_THAN_OR_EQUAL', value: '1700000000' };
const hourly = { initial: '1700000000', every: '3600', until: '' };
const once = { initial: '1700000000', every: '', until: '' };
const call = {
  variant: 'eth-oracle',
  method: 'f',
  address: '0x0c',
  abi: '',
  args: [],
  triggers: [hourly],
  requiredConfirmations: '3',
  sourceChainId: '1',
  normalisers: [],
  filters: [],
} as const;
const key = { kind: 'key', id: '0e' } as const;
const address = { kind: 'address', id: '0x0f' } as const;

describe('What a data source delivers', () => {
  it.each<readonly [DataSource, string]>([
    [call, 'call f() on 0x0c, every 1 h'],
    [{ ...call, triggers: [once] }, 'call f() on 0x0c, once at 2023-11-14 22:13:20 UTC'],
    [{ ...call, triggers: [{ ...once, initial: '' }] }, 'call f() on 0x0c, never'],
    [{ ...call, triggers: [{ ...once, initial: 'x' }] }, 'call f() on 0x0c, at times that cannot be read'],
    [{ ...call, filters: [price, note] }, 'call f() on 0x0c, every 1 h: price > 0 and ≤ 43 000.5, note'],
    [{ variant: 'oracle', signers: [key], filters: [] }, 'any data signed by 0e'],
    [{ variant: 'oracle', signers: [key, address], filters: [note] }, 'note signed by any of 2 signers'],
    [{ variant: 'oracle', signers: [], filters: [note] }, 'note signed by no signer'],
    [{ variant: 'time', conditions: [] }, 'chain time any'],
    [{ variant: 'time', conditions: [since] }, 'chain time ≥ 2023-11-14 22:13:20 UTC'],
    [{ variant: 'time-trigger', triggers: [], conditions: [] }, 'chain time trigger'],
    [
      { variant: 'time-trigger', triggers: [hourly, { initial: '', every: '86400', until: '' }], conditions: [since] },
      'chain time, every 1 h: ≥ 2023-11-14 22:13:20 UTC',
    ],
    [{ variant: 'none' }, 'no data source'],
  ])('A data source delivers as stated: %j: %s', (source, sentence) => {
    expect(sourceSentence(source)).toBe(sentence);
  });
});

describe('What a data source watches', () => {
  it.each<readonly [DataSource, string]>([
    [{ ...call, filters: [price, note] }, 'price and note, by calling f() of a contract'],
    [{ ...call, normalisers: [{ name: 'a', expression: '$[0]' }] }, 'a, by calling f() of a contract'],
    [{ ...call, method: '' }, 'the result, by calling an unnamed method of a contract'],
    [{ variant: 'oracle', signers: [key, address], filters: [note] }, 'note, as signed by any of 2 signers'],
    [{ variant: 'time', conditions: [since] }, 'chain time, until it is reached'],
    [{ variant: 'time-trigger', triggers: [hourly], conditions: [] }, 'chain time, repeatedly'],
    [{ variant: 'none' }, 'nothing: the node sends no data source for this spec'],
  ])('A data source watches as stated: %j: %s', (source, sentence) => {
    expect(watchesSentence(source)).toBe(sentence);
  });
});

it('The data source sentence has checksummed contract and signer addresses once that spelling is loaded', async () => {
  await loadAddressSpelling();
  const [{ lower, checksum } = { lower: '', checksum: '' }] = VECTORS.eip55;
  expect(sourceSentence({ ...call, address: lower })).toBe(`call f() on ${checksum}, every 1 h`);
  const signed = { variant: 'oracle', signers: [{ ...address, id: lower }], filters: [] } as const;
  expect(sourceSentence(signed)).toBe(`any data signed by ${checksum}`);
  expect(watchesSentence(signed)).toBe(`any data, as signed by ${checksum}`);
});
