import { expect, it } from 'vitest';
import { explanationText } from '../../../src/chain/explain/explanation.ts';

it('The values of a part of an explanation stand in line, whatever its labels are called', () => {
  const lines = ['chain_id', 'staking_bridge_contract.deployment_block_height', 'x'.repeat(200)];
  const parts = [{ title: 'Fields', lines: lines.map(label => ({ label, text: 'value' })) }];
  const drawn = explanationText({ parts, json: {}, copies: [] }).split('\n');
  expect(drawn.slice(1, 4).map(line => line.indexOf('value'))).toEqual([50, 50, 203]);
});
