import { jsonText } from '../../chain/api/json.ts';
import type { Directory } from '../../chain/directory/directory.ts';
import { MINE_WORDS, type Mine, type MineEntity, NOTHING_MINE } from '../../chain/directory/mine.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { bundleReadiness } from '../../chain/insight/signer-bundle/bundle-readiness.ts';
import { readProvision } from '../../chain/resources/liquidity-provisions.ts';
import type { Row } from '../../chain/resources/resource.ts';
import { removalKey } from './bundle-to-submit.ts';
import { dependentMarkets, readSpecOnce } from './oracle-use.ts';
import type { Loading, RuleInput } from './rule-input.ts';

/** The provisions of the user's own entities, on every market, and their bonds. */
export interface OwnProvisions {
  readonly provisions: Loading<readonly Row[]>;
  readonly bonds: Loading<readonly Row[]>;
}

/** The input of a rule, reduced to the user's own entities. */
interface OwnRuleInputs {
  /** Each is judged on its own, because a rule of provisions looks at one market. */
  readonly seens: readonly RuleInput[];
  /** The user's own entities that are in no list, in a sentence; '' if all are listed. */
  readonly missing: string;
}

/**
 * Narrows what a rule reads. Rules about the node or the whole chain read everything. Undefined if the user has nothing of this
 * kind, so there is nothing to judge.
 */
export function narrowToMine(rule: string, seen: RuleInput, own: OwnProvisions | undefined): OwnRuleInputs | undefined {
  const narrow = Object.hasOwn(NARROWERS, rule) ? NARROWERS[rule] : undefined;
  if (narrow === undefined) return { seens: [seen], missing: '' };
  return narrow(seen, seen.directory.mine ?? NOTHING_MINE, own);
}

/** Whether a rule looks at records that can be the user's. */
export const isAboutRecords = (rule: string): boolean => Object.hasOwn(NARROWERS, rule);

/** Whether a rule looks at provisions. */
export const isAboutProvisions = (rule: string): boolean => NARROWERS[rule] === ofProvisions;

type Narrower = (seen: RuleInput, mine: Mine, own: OwnProvisions | undefined) => OwnRuleInputs | undefined;

const ofValidators: Narrower = (seen, mine) => {
  if (mine.node.size === 0) return undefined;
  const { validators } = seen.sources;
  const listed = new Set(validators.kind === 'read' ? validators.value.map(rowId) : mine.node);
  const own = withFilteredRows(seen, 'validators', row => mine.node.has(rowId(row)));
  // A rule without rows would report that the node lists no validators.
  const isNoneListed = listed.size > 0 && [...mine.node].every(id => !listed.has(id));
  return { seens: isNoneListed ? [] : [own], missing: missingIdsText(mine, 'node', listed) };
};

const ofSpecs: Narrower = (seen, mine) => {
  if (mine.market.size === 0) return undefined;
  const markets = new Map([...seen.directory.markets].filter(([id]) => mine.market.has(id)));
  const directory: Directory = { ...seen.directory, markets };
  const isUsed = (row: Row): boolean => dependentMarkets(markets, readSpecOnce(row)).length > 0;
  const isRead = seen.sources.markets.kind === 'read';
  return {
    seens: [{ ...withFilteredRows(seen, 'specs', isUsed), directory }],
    missing: isRead ? missingIdsText(mine, 'market', new Set(markets.keys())) : '',
  };
};

const ofBundles: Narrower = (seen, mine) => {
  if (mine.submitter.size + mine.node.size === 0) return undefined;
  const submitters = new Set(mine.submitter);
  const listed = new Set<string>();
  for (const id of mine.node) {
    const { ethereumAddress = '' } = seen.directory.validators.get(id) ?? {};
    if (ethereumAddress === '') continue;
    submitters.add(ethereumAddress.toLowerCase());
    listed.add(id);
  }
  // Whole removals, because a finding lists everyone else who can submit one.
  const bundles = narrowSource(seen.sources.bundles, value => {
    const own = value.filter(
      ({ row, checked }) =>
        submitters.has(jsonText(row.submitter).toLowerCase()) &&
        (checked === null || bundleReadiness(checked) !== 'no'),
    );
    const removals = new Set(own.map(({ row }) => removalKey(row)));
    return value.filter(({ row }) => removals.has(removalKey(row)));
  });
  return {
    seens: [{ ...seen, sources: { ...seen.sources, bundles } }],
    missing: seen.sources.validators.kind === 'read' ? missingIdsText(mine, 'node', listed) : '',
  };
};

/** One market after the other, and the missing entities of all markets. */
const ofProvisions: Narrower = (seen, mine, own) => {
  if (mine.party.size + mine.market.size === 0) return undefined;
  const { provisions, bonds } = own ?? { provisions: NOT_ASKED, bonds: NOT_ASKED };
  const rows = provisions.kind === 'read' ? provisions.value : [];
  const byMarket = Map.groupBy(rows, row => readProvision(row).current.marketId);
  const of = (marketId: string, own: Loading<readonly Row[]>, bonds: Loading<readonly Row[]>): RuleInput => ({
    ...seen,
    sources: {
      ...seen.sources,
      provisions: mapSource(own, value => ({ marketId, rows: value, epochBegun: null })),
      bonds,
    },
  });
  const whole = (value: readonly Row[]) => ({
    ...provisions,
    kind: 'read' as const,
    value,
    records: value.length,
    gap: '',
    atMs: 0,
  });
  return {
    seens: [
      ...[...byMarket].map(([marketId, value]) =>
        of(
          marketId,
          whole(value),
          mapSource(bonds, all => all, ''),
        ),
      ),
      // Read failures are reported only once.
      of(
        '',
        mapSource(provisions, () => []),
        bonds,
      ),
    ],
    missing: '',
  };
};

const NOT_ASKED = { kind: 'unread', why: 'they were not requested' } as const;

const NARROWERS: { readonly [rule: string]: Narrower } = {
  bundle: ofBundles,
  'oracle-deactivated': ofSpecs,
  'oracle-overdue': ofSpecs,
  'commitment-above-bond': ofProvisions,
  'provision-change': ofProvisions,
  'validator-performance': ofValidators,
  'validator-outside': ofValidators,
};

function missingIdsText(mine: Mine, entity: MineEntity, listed: ReadonlySet<string>): string {
  const count = [...mine[entity]].filter(id => !listed.has(id)).length;
  return count === 0 ? '' : `not known: ${countOf(count, MINE_WORDS[entity])} not in the list of this node`;
}

const rowId = ({ id }: Row): string => jsonText(id).toLowerCase();

const withFilteredRows = (seen: RuleInput, name: 'validators' | 'specs', isOwn: (row: Row) => boolean): RuleInput => ({
  ...seen,
  sources: { ...seen.sources, [name]: narrowSource(seen.sources[name], rows => rows.filter(isOwn)) },
});

const narrowSource = <Value>(source: Loading<Value>, narrow: (value: Value) => Value): Loading<Value> =>
  mapSource(source, narrow);

const mapSource = <From, To>(source: Loading<From>, map: (value: From) => To, gap?: string): Loading<To> =>
  source.kind === 'read' ? { ...source, value: map(source.value), gap: gap ?? source.gap } : source;
