import { parseJson } from '../../src/chain/api/json.ts';
import { median, ratioTo, type Section } from '../figure.ts';
import { provisionText } from '../records.ts';

export const decode: Section = async ({ isFull, once }) => {
  const rows = Array.from({ length: 5000 }, (_, index) => `{"node":${provisionText(index)},"cursor":"${index}"}`);
  const asStrings = `{"liquidityProvisions":{"edges":[${rows.join(',')}]}}`;
  const asNumbers = asStrings.replace(/"(createdAt|updatedAt|version)":"(\d+)"/g, '"$1":$2');
  const rounds = isFull ? 60 : 25;
  return [
    await once(() => compare('64-bit integers as strings', asStrings, 1.5, rounds)),
    await once(() => compare('64-bit integers as bare numbers', asNumbers, 5, rounds)),
  ];
};

function compare(what: string, text: string, limit: number, rounds: number) {
  const ours: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round < rounds; round++) {
    plain.push(timed(() => JSON.parse(text)));
    ours.push(timed(() => parseJson(text)));
  }
  const megabytes = (text.length / 1e6).toFixed(1);
  return ratioTo('decode', `5,000 records (${megabytes} MB), ${what}`, {
    value: median(ours),
    peer: 'JSON.parse',
    peerValue: median(plain),
    limit,
    unit: 'ms',
  });
}

function timed(work: () => unknown): number {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
}
