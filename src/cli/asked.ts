import type { Expectation } from '../export/check/verdict.ts';
import { askedByName } from '../export/plan/plan.ts';
import type { Flag, Given } from './options.ts';
import { tableFrom } from './table-flag.ts';
import { UsageError } from './usage-error.ts';

/** What an export on disk is checked against, instead of what its name says. */
export const ASKED: readonly Flag[] = [
  { name: 'table', kind: 'text', value: 'TABLE', about: 'the table that was asked for (by the file name)' },
  { name: 'from', kind: 'text', value: 'BLOCK', about: 'the first block that was asked for (by the file name)' },
  { name: 'to', kind: 'text', value: 'BLOCK', about: 'the last block that was asked for (by the file name)' },
  { name: 'chain', kind: 'text', value: 'ID', about: 'the chain that it has to be of (by the file name)' },
];

/** What was asked for by the flags, and else by the name, with sentences on both. */
export interface Asked {
  readonly asked: Expectation;
  /** Where the name and the flags differ. */
  readonly contradictions: readonly string[];
  /** What neither says, so that it cannot be checked. */
  readonly unknowns: readonly string[];
}

export function askedFor(given: Given, name: string): Asked {
  const byName = askedByName(name) ?? {};
  const byFlags = flagged(given);
  const asked = { ...byName, ...byFlags };
  if (asked.fromBlock !== undefined && asked.toBlock !== undefined && asked.fromBlock > asked.toBlock)
    throw new UsageError(`the first block ${asked.fromBlock} is above the last block ${asked.toBlock}`);
  return { asked, contradictions: contradictionsOf(byName, byFlags), unknowns: unknownsOf(asked) };
}

function flagged(given: Given): Expectation {
  const table = tableFrom(given);
  const [fromBlock, toBlock] = [height(given, 'from'), height(given, 'to')];
  const chainId = given.text('chain');
  return {
    ...(table !== undefined && { table: table.id }),
    ...(fromBlock !== undefined && { fromBlock }),
    ...(toBlock !== undefined && { toBlock }),
    ...(chainId !== undefined && { chainId }),
  };
}

function height(given: Given, name: 'from' | 'to'): bigint | undefined {
  const text = given.text(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,18}$/.test(text)) throw new UsageError(`--${name} wants a block height, not "${text}"`);
  return BigInt(text);
}

const WORDS = [
  ['table', 'table'],
  ['fromBlock', 'first block'],
  ['toBlock', 'last block'],
  ['chainId', 'chain'],
] as const;

function contradictionsOf(byName: Expectation, byFlags: Expectation): readonly string[] {
  return WORDS.flatMap(([field, word]) => {
    const [named, wanted] = [byName[field], byFlags[field]];
    if (named === undefined || wanted === undefined || named === wanted) return [];
    return [
      `By its name the ${word} is ${named}, by the command line ${wanted}: it was held against the command line.`,
    ];
  });
}

function unknownsOf({ fromBlock, toBlock, table }: Expectation): readonly string[] {
  const ends = fromBlock === undefined ? (toBlock === undefined ? 'either end' : 'its beginning') : 'its end';
  const isRangeKnown = fromBlock !== undefined && toBlock !== undefined;
  const range = `Nothing says which blocks were asked for, so a CSV missing at ${ends} cannot be seen: --from and --to say it.`;
  const which = 'Nothing says which table was asked for, so it may be of another: --table says it.';
  return [...(isRangeKnown ? [] : [range]), ...(table === undefined ? [which] : [])];
}
