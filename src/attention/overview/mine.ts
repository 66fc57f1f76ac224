import { readAddress } from '../../base/text/ids.ts';
import { isJsonArray, jsonText } from '../../chain/api/json.ts';
import { type Directory, plainNameOf, unitOfAsset, unitOfMarket } from '../../chain/directory/directory.ts';
import { MINE_ENTITIES, type Mine, type MineEntity } from '../../chain/directory/mine.ts';
import { countOf, countText } from '../../chain/insight/count-of.ts';
import { percent } from '../../chain/insight/decimal.ts';
import { epochNumber, type FeeRow, sumOf, wholeAmount } from '../../chain/insight/paid-fees.ts';
import { outlookOf, stageOf, stated } from '../../chain/insight/provision.ts';
import { submittableOf } from '../../chain/insight/signer-bundle/submittable.ts';
import { isScore } from '../../chain/insight/validator-scores.ts';
import { amountText } from '../../chain/resources/amount-text.ts';
import { liquidityProvisions, readProvision } from '../../chain/resources/liquidity-provisions.ts';
import { markets } from '../../chain/resources/markets.ts';
import { feeRowOf, paidLiquidityFees } from '../../chain/resources/paid-liquidity-fees.ts';
import type { Row } from '../../chain/resources/resource.ts';
import { signerBundles } from '../../chain/resources/signer-bundles.ts';
import { readValidator, validators } from '../../chain/resources/validators.ts';
import { bundlesToCheck } from '../rules/bundle-to-submit.ts';
import { nameOrId } from '../rules/names.ts';
import { commitmentText, isOnMarket } from '../rules/provision-change.ts';
import type { BundleSeen, Loading, ProvisionsSeen } from '../rules/seen.ts';
import { type Answers, rowsLoaded } from './answers.ts';
import { feeKeyOf, readFees } from './fees.ts';

/** What the overview says of one thing that is the user's. */
export interface MineLine {
  readonly entity: MineEntity;
  readonly id: string;
  /** Null without one. */
  readonly name: string | null;
  /** What the lists say of it; empty while they are waited for. */
  readonly facts: readonly MineFact[];
  /** What could not be read, or only in part, and why. */
  readonly unread: readonly string[];
  /** When the oldest of the lists answered that say this; null if none did. */
  readonly atMs: number | null;
}

interface MineFact {
  readonly sentence: string;
  /** The record behind it; null if there is none. */
  readonly resource: string | null;
  readonly key: string | null;
}

/** The lists that were read for the overview. */
interface MineSources {
  readonly markets: Loading<readonly Row[]>;
  readonly validators: Loading<readonly Row[]>;
  readonly bundles: Loading<readonly BundleSeen[]>;
  readonly fees: Loading<readonly Row[]>;
  readonly provisions: Loading<ProvisionsSeen>;
  readonly epoch: bigint | null;
  /** What parties provide on every market, for those that were asked for. */
  readonly own: ReadonlyMap<string, Loading<readonly Row[]>>;
}

export const ownLoaded = (own: Answers['own']): MineSources['own'] =>
  new Map(own.kind === 'answered' ? [...own.value].map(([id, answer]) => [id, rowsLoaded(answer)]) : []);

/** A line for each thing that is the user's, from what was read anyway: no request is sent for it. */
export function mineLines(mine: Mine, sources: MineSources, directory: Directory): readonly MineLine[] {
  const place = { sources, directory };
  return MINE_ENTITIES.flatMap(entity =>
    [...mine[entity]].map(id => {
      const found = LOOKS[entity](id, place);
      return {
        ...{ entity, id, name: plainNameOf(directory, entity, id) ?? null },
        facts: eachOnce(found.flatMap(({ facts }) => facts)),
        unread: [...new Set(found.flatMap(({ unread }) => unread))],
        atMs: oldestOf(found.flatMap(({ atMs }) => atMs ?? [])),
      };
    }),
  );
}

const oldestOf = (times: readonly number[]): number | null => (times.length === 0 ? null : Math.min(...times));

/** A node that lists a row twice has one such row. */
const eachOnce = (facts: readonly MineFact[]): readonly MineFact[] => [
  ...new Map(facts.map(fact => [JSON.stringify(fact), fact])).values(),
];

interface Place {
  readonly sources: MineSources;
  readonly directory: Directory;
}

/** What one list says, and why it may not say all. */
type Look = Pick<MineLine, 'facts' | 'unread' | 'atMs'>;

const LOOKS: { readonly [entity in MineEntity]: (id: string, place: Place) => readonly Look[] } = {
  party: (id, place) => [provisionsOf(id, place), feesOfParty(id, place)],
  submitter: (id, place) => [bundlesOf(id, place)],
  node: (id, place) => {
    const { ethereumAddress = '', publicKey = '' } = place.directory.validators.get(id) ?? {};
    return [
      rankOf(id, place),
      ...(ethereumAddress === '' ? [] : [bundlesOf(ethereumAddress, place)]),
      ...(publicKey === '' ? [] : [onlyFound(feesOfParty(publicKey, place))]),
    ];
  },
  market: (id, place) => [stateOf(id, place), feesOfMarket(id, place)],
};

/** Few validators provide liquidity, so those that do not are not mentioned. */
const onlyFound = ({ facts, ...look }: Look): Look => ({ ...look, facts: facts.filter(({ key }) => key !== null) });

/** Looks into a list. `title` is what it is called where it cannot be read. */
function lookInto<Value>(
  source: Loading<Value>,
  title: string,
  find: (value: Value) => readonly MineFact[],
  none = '',
): Look {
  switch (source.kind) {
    case 'waiting':
      return { facts: [], unread: [], atMs: null };
    case 'unread':
      return { facts: [], unread: [`${title} not known: ${source.why}`], atMs: null };
    case 'read': {
      const facts = find(source.value);
      const { atMs } = source;
      if (source.gap !== '') return { facts, unread: [`${title} in part: ${source.gap}`], atMs };
      return {
        facts: facts.length > 0 || none === '' ? facts : [{ sentence: none, resource: null, key: null }],
        unread: [],
        atMs,
      };
    }
  }
}

const isSame = (value: string, id: string): boolean => value.toLowerCase() === id;

const provisionsOnMarket = (id: string, { sources, directory }: Place): Look =>
  lookInto(sources.provisions, 'provisions', ({ marketId, rows, epochBegun }) => {
    const market = nameOrId(directory, 'market', marketId);
    return rows.flatMap(row => {
      const { current } = readProvision(row);
      if (!isSame(current.partyId, id) || !isOnMarket(current, marketId)) return [];
      const sentence = `only ${market} asked: ${committedText(row, { epochBegun, directory })}`;
      return [{ sentence, resource: liquidityProvisions.id, key: liquidityProvisions.keyOf(row) }];
    });
  });

/** What a provision commits, and what becomes of it; what may be cut off stands last. */
function committedText(
  row: Row,
  {
    epochBegun,
    directory,
    on = '',
  }: { readonly epochBegun: string | null; readonly directory: Directory; readonly on?: string },
): string {
  const provision = readProvision(row);
  const { current } = provision;
  const amount = commitmentText(stated(provision).commitmentAmount, unitOfMarket(directory, current.marketId));
  const status = stageOf(current) === undefined ? 'status not known' : current.status.replace(/^STATUS_/, '');
  const { kind } = outlookOf(provision);
  const change =
    epochBegun === null ? NEXT[kind] : PAST[kind] === '' ? '' : `${PAST[kind]} when epoch ${epochBegun} began`;
  return `${status}, ${amount} committed${on}${change}`;
}

/** On every market. */
function ownProvisions(id: string, own: Loading<readonly Row[]>, { sources, directory }: Place): Look {
  const epochBegun = sources.provisions.kind === 'read' ? sources.provisions.value.epochBegun : null;
  return lookInto(
    own,
    'provisions',
    rows => {
      const all = rows.filter(row => isSame(readProvision(row).current.partyId, id));
      return all.map((row, index) => {
        const on = ` on ${nameOrId(directory, 'market', readProvision(row).current.marketId)}`;
        const count = index === 0 && all.length > 1 ? `${all.length} commitments: ` : '';
        const sentence = `${count}${committedText(row, { epochBegun, directory, on })}`;
        return { sentence, resource: liquidityProvisions.id, key: liquidityProvisions.keyOf(row) };
      });
    },
    'no live provision on any market',
  );
}

/** Where the party was not asked for, of one market alone, whatever else there is: so it is said which. */
function provisionsOf(id: string, place: Place): Look {
  const { provisions } = place.sources;
  const own = place.sources.own.get(id);
  if (own !== undefined) return ownProvisions(id, own, place);
  const look = provisionsOnMarket(id, place);
  if (provisions.kind !== 'read' || provisions.gap !== '' || look.facts.length > 0) return look;
  const market = nameOrId(place.directory, 'market', provisions.value.marketId);
  return { ...look, unread: [`provisions: none on ${market}, others were not asked`] };
}

const NEXT = {
  stays: '',
  leaves: ', leaves at the next epoch',
  enters: ', joins at the next epoch',
  changes: ', changes at the next epoch',
  unknown: ', may change at the next epoch',
} as const;

/** The same when it has begun since. */
const PAST = {
  stays: '',
  leaves: ', was to leave',
  enters: ', was to join',
  changes: ', was to change',
  unknown: ', may have changed',
} as const;

/** What the newest epoch allocated, by asset. */
const feesOfParty = (id: string, { sources, directory }: Place): Look => {
  const isPaid = ({ row, fee }: FeeRecord): boolean =>
    isJsonArray(row.feesPaidPerParty) &&
    fee.feesPaidPerParty.every(({ party, amount }) => !isSame(party, id) || wholeAmount(amount) !== undefined);
  return newestFees(sources, { isReadable: isPaid }, (rows, epoch) => {
    const own = rows.flatMap(({ row, fee }) =>
      fee.feesPaidPerParty.filter(({ party }) => isSame(party, id)).map(({ amount }) => ({ row, fee, amount })),
    );
    const byAsset = Map.groupBy(own, ({ fee }) => fee.asset.toLowerCase());
    return [...byAsset].flatMap(([assetId, paid]) => {
      const [first] = paid;
      const total = sumOf(paid.map(({ amount }) => amount));
      if (first === undefined || total === undefined) return [];
      const on = countOf(new Set(paid.map(({ fee }) => fee.market.toLowerCase())).size, 'market');
      const sentence = `${amountText(total, unitOfAsset(directory, assetId))} of fees on ${on} in epoch ${epoch}`;
      return [{ sentence, resource: paidLiquidityFees.id, key: paidLiquidityFees.keyOf(first.row) }];
    });
  });
};

const feesOfMarket = (id: string, { sources, directory }: Place): Look =>
  newestFees(sources, {}, (rows, epoch) =>
    rows
      .filter(({ fee }) => isSame(fee.market, id))
      .map(({ row, fee }) => ({
        sentence: `${amountText(fee.totalFeesPaid, unitOfAsset(directory, fee.asset))} of fees in epoch ${epoch}`,
        ...{ resource: paidLiquidityFees.id, key: paidLiquidityFees.keyOf(row) },
      })),
  );

interface FeeRecord {
  readonly row: Row;
  readonly fee: FeeRow;
}

interface Reading {
  /** Whether a row says what is looked for. */
  readonly isReadable?: (record: FeeRecord) => boolean;
}

/** Looks into the fees of the newest epoch that has some. */
function newestFees(
  { fees, epoch: current }: MineSources,
  { isReadable = ({ fee }) => wholeAmount(fee.totalFeesPaid) !== undefined }: Reading,
  find: (rows: readonly FeeRecord[], epoch: bigint) => readonly MineFact[],
): Look {
  if (fees.kind !== 'read') return lookInto(fees, 'fees', () => []);
  const { newest, flaw } = readFees(fees.value, current);
  const none = newest === null ? 'no fees in any epoch listed' : `no fees in epoch ${newest}`;
  const ofNewest = fees.value
    .map(row => ({ row, fee: feeRowOf(row) }))
    .filter(({ fee }) => newest !== null && epochNumber(fee.epochSeq) === newest);
  const all = [...new Map(ofNewest.map(record => [feeKeyOf(record.fee), record])).values()];
  const records = all.filter(isReadable);
  const odd = all.length - records.length;
  const gap = flaw !== '' ? flaw : odd > 0 ? `${countOf(odd, 'row')} cannot be read` : fees.gap;
  return lookInto({ ...fees, gap }, 'fees', () => (newest === null ? [] : find(records, newest)), none);
}

const bundlesOf = (id: string, { sources, directory }: Place): Look =>
  lookInto(
    withReadable(sources.bundles, ({ row }) => readAddress(jsonText(row.submitter)) !== undefined),
    'signer bundles',
    seen => {
      const own = seen.filter(({ row }) => isSame(jsonText(row.submitter), id));
      const nodes = sources.validators.kind === 'read' ? sources.validators.value : [];
      const needed = new Set(
        bundlesToCheck(
          own.map(({ row }) => row),
          nodes,
          sources.epoch,
        ),
      );
      const open = own.filter(({ row }) => needed.has(row));
      const usable = open.filter(({ checked }) => checked === null || submittableOf(checked) !== 'no');
      const [newest] = [usable, open, own].find(some => some.length > 0) ?? [];
      if (newest === undefined) return [];
      const signer = nameOrId(directory, 'submitter', jsonText(newest.row.oldSigner));
      const unusable = open.length - usable.length;
      const rest = unusable === 0 ? '' : `; ${countText(unusable)} more cannot be submitted`;
      const sentence =
        open.length === 0
          ? `${countOf(own.length, 'signer bundle')} to submit, none known to be needed`
          : usable.length === 0
            ? `${countOf(open.length, 'signer bundle')} to submit, but not with these signatures`
            : `${countOf(usable.length, 'signer bundle')} to submit, the newest removes ${signer}${rest}`;
      return [{ sentence, resource: signerBundles.id, key: signerBundles.keyOf(newest.row) }];
    },
    'no signer bundle that it can submit',
  );

/** What cannot be read may be what is looked for. */
function withReadable<Seen>(
  source: Loading<readonly Seen[]>,
  isReadable: (seen: Seen) => boolean,
): Loading<readonly Seen[]> {
  if (source.kind !== 'read') return source;
  const value = source.value.filter(isReadable);
  const odd = source.value.length - value.length;
  return {
    ...source,
    value,
    gap: odd === 0 || source.gap !== '' ? source.gap : `${countOf(odd, 'row')} cannot be read`,
  };
}

const rankOf = (id: string, { sources }: Place): Look =>
  lookInto(
    sources.validators,
    'validators',
    rows => {
      const each = new Map(rows.map(row => [jsonText(row.id), row]));
      const all = [...each.values()].map(row => ({ row, ...readValidator(row) }));
      const own = all.find(one => isSame(one.id, id));
      if (own === undefined) return [];
      const { status, votingPower, performanceScore } = own.rankingScore;
      const role = ROLES.get(status) ?? 'role not known';
      const powers = all.map(one => wholeAmount(one.rankingScore.votingPower));
      const power = wholeAmount(votingPower) ?? 0n;
      const isRanked = power > 0n && !powers.includes(undefined);
      const rank = 1 + powers.filter(one => (one ?? 0n) > power).length;
      const last = powers.filter(one => (one ?? 0n) >= power).length;
      const ranks = last > rank ? `${rank} to ${last}` : String(rank);
      const score = own.rewardScore.multisigScore;
      const parts = [
        role,
        ...(isRanked ? [`rank ${ranks} of ${all.length} by voting power`] : []),
        ...(isScore(performanceScore) ? [`performance ${percent(performanceScore)}`] : []),
        ...(isScore(score) && score.length <= LONGEST_SCORE ? [`multisig score ${score}`] : []),
      ];
      return [{ sentence: parts.join(', '), resource: validators.id, key: validators.keyOf(own.row) }];
    },
    'not among the validators of this node',
  );

const LONGEST_SCORE = 20;

const ROLES: ReadonlyMap<string, string> = new Map([
  ['VALIDATOR_NODE_STATUS_TENDERMINT', 'in consensus'],
  ['VALIDATOR_NODE_STATUS_ERSATZ', 'on standby'],
  ['VALIDATOR_NODE_STATUS_PENDING', 'waiting to become a validator'],
]);

const stateOf = (id: string, { sources }: Place): Look =>
  lookInto(
    sources.markets,
    'markets',
    rows =>
      rows
        .filter(row => isSame(jsonText(row.id), id))
        .map(row => ({
          sentence: /^STATE_([A-Z_]{1,40})$/.exec(jsonText(row.state))?.[1] ?? 'state not known',
          resource: markets.id,
          key: markets.keyOf(row),
        })),
    'not among the markets of this node',
  );
