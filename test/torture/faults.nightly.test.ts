import { expect, it } from 'vitest';
import { networkFaults } from './network-faults.ts';
import { tryHere } from './section.ts';
import { faults } from './sections/faults.ts';

const FACES = 8;
const trialOf = (name: string, face: number): number =>
  networkFaults.findIndex(fault => fault.name === name) * FACES + face;

it('Faulty answers end a command with correct output or without success, and the explorer survives them', async () => {
  const indexes = [
    trialOf('half the body', 0),
    trialOf('gzip with a bit turned', 1),
    trialOf('a chunk of no size', 3),
    trialOf('chunks without the last', 4),
    trialOf('reset after the request', 7),
    trialOf('a node that is null', 0),
    trialOf('edges are [null]', 1),
    trialOf('the list is {}', 7),
    trialOf('an end that is another row', 1),
    trialOf('an end inside of the page', 7),
    trialOf('every row twice', 0),
    trialOf('every row twice', 6),
    trialOf('segments that overlap', 3),
    trialOf('segments of two chains', 4),
    trialOf('segments that cannot be read', 4),
    trialOf('a record of 200,000 members', 7),
    trialOf('an answer of 15 MiB that comes slowly', 1),
    trialOf('statistics: chain "another-chain"', 5),
    trialOf('statistics: height "0"', 5),
    trialOf('statistics: time "2126-01-01T00:00:00Z"', 5),
    trialOf('statistics: status "CHAIN_STATUS_REPLAYING"', 5),
    trialOf('names: of 1 MB', 6),
  ];
  const { findings, tried } = await tryHere(faults, { seed: 11, indexes });
  expect(findings).toEqual([]);
  expect(tried).toBe(indexes.length);
});
