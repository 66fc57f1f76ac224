import { jsonText } from '../api/json.ts';
import type { Directory } from '../directory/directory.ts';
import { type Mine, NOTHING_MINE } from '../directory/mine.ts';
import { readProvision } from '../resources/liquidity-provisions.ts';
import { readOracleSpec } from '../resources/oracle-specs.ts';
import type { Row } from '../resources/resource.ts';
import { dependentMarkets } from './oracle-use.ts';
import type { Loading, Seen } from './seen.ts';

/**
 * What a rule reads, less what is not the user's. Rules about the node or the whole chain read everything; undefined: nothing
 * of this kind is the user's, so there is nothing to judge.
 */
export function onlyMine(rule: string, seen: Seen): Seen | undefined {
  const narrow = Object.hasOwn(NARROWED, rule) ? NARROWED[rule] : undefined;
  return narrow === undefined ? seen : narrow(seen, seen.directory.mine ?? NOTHING_MINE);
}

/** Whether a rule looks at records that can be the user's. */
export const isAboutRecords = (rule: string): boolean => Object.hasOwn(NARROWED, rule);

type Narrow = (seen: Seen, mine: Mine) => Seen | undefined;

const ofValidators: Narrow = (seen, mine) =>
  mine.node.size === 0 ? undefined : withRows(seen, 'validators', row => mine.node.has(idOf(row)));

const ofProvisions: Narrow = (seen, mine) => {
  if (mine.party.size + mine.market.size === 0) return undefined;
  const isOwn = (row: Row): boolean => {
    const { partyId, marketId } = readProvision(row).current;
    return mine.party.has(partyId.toLowerCase()) || mine.market.has(marketId.toLowerCase());
  };
  const provisions = narrowed(seen.sources.provisions, value => ({ ...value, rows: value.rows.filter(isOwn) }));
  return { ...seen, sources: { ...seen.sources, provisions } };
};

const ofSpecs: Narrow = (seen, mine) => {
  if (mine.market.size === 0) return undefined;
  const directory = marketsOf(seen.directory, mine);
  const isUsed = (row: Row): boolean => dependentMarkets(directory.markets, readOracleSpec(row)).length > 0;
  return { ...withRows(seen, 'specs', isUsed), directory };
};

const ofBundles: Narrow = (seen, mine) => {
  if (mine.submitter.size + mine.node.size === 0) return undefined;
  const submitters = new Set(mine.submitter);
  for (const id of mine.node) {
    const { ethereumAddress = '' } = seen.directory.validators.get(id) ?? {};
    if (ethereumAddress !== '') submitters.add(ethereumAddress.toLowerCase());
  }
  const bundles = narrowed(seen.sources.bundles, value =>
    value.filter(({ row }) => submitters.has(jsonText(row.submitter).toLowerCase())),
  );
  return { ...seen, sources: { ...seen.sources, bundles } };
};

const NARROWED: { readonly [rule: string]: Narrow } = {
  bundle: ofBundles,
  'oracle-deactivated': ofSpecs,
  'oracle-overdue': ofSpecs,
  'commitment-above-bond': ofProvisions,
  'provision-change': ofProvisions,
  'validator-performance': ofValidators,
  'validator-outside': ofValidators,
};

const idOf = ({ id }: Row): string => jsonText(id).toLowerCase();

const withRows = (seen: Seen, name: 'validators' | 'specs', isOwn: (row: Row) => boolean): Seen => ({
  ...seen,
  sources: { ...seen.sources, [name]: narrowed(seen.sources[name], rows => rows.filter(isOwn)) },
});

const narrowed = <Value>(source: Loading<Value>, narrow: (value: Value) => Value): Loading<Value> =>
  source.kind === 'read' ? { ...source, value: narrow(source.value) } : source;

const marketsOf = (directory: Directory, mine: Mine): Directory => ({
  ...directory,
  markets: new Map([...directory.markets].filter(([id]) => mine.market.has(id))),
});
