import { readAddress } from '../../base/text/ids.ts';
import { isJsonArray, jsonText } from '../../chain/api/json.ts';
import { type Directory, plainNameOf, unitOfAsset, unitOfMarket } from '../../chain/directory/directory.ts';
import { MINE_ENTITIES, type Mine, type MineEntity } from '../../chain/directory/mine.ts';
import { countOf, countText } from '../../chain/insight/count-of.ts';
import { percent } from '../../chain/insight/decimal.ts';
import { epochNumber, type FeeRow, sumAmounts, wholeAmount } from '../../chain/insight/paid-fees.ts';
import { committedVersion, nextEpochOutlook, stageOf } from '../../chain/insight/provision.ts';
import { bundleReadiness } from '../../chain/insight/signer-bundle/bundle-readiness.ts';
import { isScore } from '../../chain/insight/validator-scores.ts';
import { amountText } from '../../chain/resources/amount-text.ts';
import { liquidityProvisions, readProvision } from '../../chain/resources/liquidity-provisions.ts';
import { markets } from '../../chain/resources/markets.ts';
import { paidLiquidityFees, readFeeRow } from '../../chain/resources/paid-liquidity-fees.ts';
import type { Row } from '../../chain/resources/resource.ts';
import { signerBundles } from '../../chain/resources/signer-bundles.ts';
import { readValidator, validators } from '../../chain/resources/validators.ts';
import { bundlesToCheck } from '../rules/bundle-to-submit.ts';
import { nameOrId } from '../rules/name-texts.ts';
import { commitmentText, isOnMarket } from '../rules/provision-change.ts';
import type { Loading, ObservedBundle, ObservedProvisions } from '../rules/rule-input.ts';
import { answeredRows, type OverviewAnswers } from './answers.ts';
import { feeRowKey, readFees } from './fees.ts';

/** A line of the overview about one of the user's own entities. */
export interface MineLine {
  readonly entity: MineEntity;
  readonly id: string;
  /** Null without one. */
  readonly name: string | null;
  /** Facts from the lists; empty while the lists are pending. */
  readonly facts: readonly MineFact[];
  /** Data that could not be read, or only in part, with the reason. */
  readonly unread: readonly string[];
  /** When the oldest of the lists behind these facts answered; null if none did. */
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
  readonly bundles: Loading<readonly ObservedBundle[]>;
  readonly fees: Loading<readonly Row[]>;
  readonly provisions: Loading<ObservedProvisions>;
  readonly epoch: bigint | null;
  /** What parties provide on every market, for those that were asked for. */
  readonly own: ReadonlyMap<string, Loading<readonly Row[]>>;
}

export const answeredOwnRows = (own: OverviewAnswers['own']): MineSources['own'] =>
  new Map(own.kind === 'answered' ? [...own.value].map(([id, answer]) => [id, answeredRows(answer)]) : []);

/** A line for each of the user's own entities, from data that is read anyway: no additional request is sent. */
export function mineLines(mine: Mine, sources: MineSources, directory: Directory): readonly MineLine[] {
  const place = { sources, directory };
  return MINE_ENTITIES.flatMap(entity =>
    [...mine[entity]].map(id => {
      const found = LOOK_UPS[entity](id, place);
      return {
        ...{ entity, id, name: plainNameOf(directory, entity, id) ?? null },
        facts: withoutDuplicates(found.flatMap(({ facts }) => facts)),
        unread: [...new Set(found.flatMap(({ unread }) => unread))],
        atMs: oldestTime(found.flatMap(({ atMs }) => atMs ?? [])),
      };
    }),
  );
}

const oldestTime = (times: readonly number[]): number | null => (times.length === 0 ? null : Math.min(...times));

/** A node that lists a row twice has one such row. */
const withoutDuplicates = (facts: readonly MineFact[]): readonly MineFact[] => [
  ...new Map(facts.map(fact => [JSON.stringify(fact), fact])).values(),
];

interface LookUpContext {
  readonly sources: MineSources;
  readonly directory: Directory;
}

/** The facts in one list, and why they may be incomplete. */
type OwnLookUp = Pick<MineLine, 'facts' | 'unread' | 'atMs'>;

const LOOK_UPS: { readonly [entity in MineEntity]: (id: string, place: LookUpContext) => readonly OwnLookUp[] } = {
  party: (id, place) => [partyProvisions(id, place), feesOfParty(id, place)],
  submitter: (id, place) => [submitterBundles(id, place)],
  node: (id, place) => {
    const { ethereumAddress = '', publicKey = '' } = place.directory.validators.get(id) ?? {};
    return [
      validatorRank(id, place),
      ...(ethereumAddress === '' ? [] : [submitterBundles(ethereumAddress, place)]),
      ...(publicKey === '' ? [] : [dropUnkeyedFacts(feesOfParty(publicKey, place))]),
    ];
  },
  market: (id, place) => [marketState(id, place), feesOfMarket(id, place)],
};

/** Few validators provide liquidity, so those that do not are not mentioned. */
const dropUnkeyedFacts = ({ facts, ...look }: OwnLookUp): OwnLookUp => ({
  ...look,
  facts: facts.filter(({ key }) => key !== null),
});

/** Searches a list. `title` is its name in messages when it cannot be read. */
function searchSource<Value>(
  source: Loading<Value>,
  title: string,
  find: (value: Value) => readonly MineFact[],
  none = '',
): OwnLookUp {
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

const isSameId = (value: string, id: string): boolean => value.toLowerCase() === id;

const provisionsOnMarket = (id: string, { sources, directory }: LookUpContext): OwnLookUp =>
  searchSource(sources.provisions, 'provisions', ({ marketId, rows, epochBegun }) => {
    const market = nameOrId(directory, 'market', marketId);
    return rows.flatMap(row => {
      const { current } = readProvision(row);
      if (!isSameId(current.partyId, id) || !isOnMarket(current, marketId)) return [];
      const sentence = `only ${market} asked: ${committedText(row, { epochBegun, directory })}`;
      return [{ sentence, resource: liquidityProvisions.id, key: liquidityProvisions.keyOf(row) }];
    });
  });

/** The commitment of a provision, and its change at the next epoch; the part that may be cut off comes last. */
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
  const amount = commitmentText(
    committedVersion(provision).commitmentAmount,
    unitOfMarket(directory, current.marketId),
  );
  const status = stageOf(current) === undefined ? 'status not known' : current.status.replace(/^STATUS_/, '');
  const { kind } = nextEpochOutlook(provision);
  const change =
    epochBegun === null
      ? NEXT_EPOCH_TEXTS[kind]
      : PAST_EPOCH_TEXTS[kind] === ''
        ? ''
        : `${PAST_EPOCH_TEXTS[kind]} when epoch ${epochBegun} began`;
  return `${status}, ${amount} committed${on}${change}`;
}

/** On every market. */
function ownProvisions(id: string, own: Loading<readonly Row[]>, { sources, directory }: LookUpContext): OwnLookUp {
  const epochBegun = sources.provisions.kind === 'read' ? sources.provisions.value.epochBegun : null;
  return searchSource(
    own,
    'provisions',
    rows => {
      const all = rows.filter(row => isSameId(readProvision(row).current.partyId, id));
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

/** If the party itself was not requested, only one market's provisions are known, so the text includes that market. */
function partyProvisions(id: string, place: LookUpContext): OwnLookUp {
  const { provisions } = place.sources;
  const own = place.sources.own.get(id);
  if (own !== undefined) return ownProvisions(id, own, place);
  const look = provisionsOnMarket(id, place);
  if (provisions.kind !== 'read' || provisions.gap !== '' || look.facts.length > 0) return look;
  const market = nameOrId(place.directory, 'market', provisions.value.marketId);
  return { ...look, unread: [`provisions: none on ${market}, others were not asked`] };
}

const NEXT_EPOCH_TEXTS = {
  stays: '',
  leaves: ', leaves at the next epoch',
  enters: ', joins at the next epoch',
  changes: ', changes at the next epoch',
  unknown: ', may change at the next epoch',
} as const;

/** The same when it has begun since. */
const PAST_EPOCH_TEXTS = {
  stays: '',
  leaves: ', was to leave',
  enters: ', was to join',
  changes: ', was to change',
  unknown: ', may have changed',
} as const;

/** What the newest epoch allocated, by asset. */
const feesOfParty = (id: string, { sources, directory }: LookUpContext): OwnLookUp => {
  const isPaid = ({ row, fee }: FeeRecord): boolean =>
    isJsonArray(row.feesPaidPerParty) &&
    fee.feesPaidPerParty.every(({ party, amount }) => !isSameId(party, id) || wholeAmount(amount) !== undefined);
  return newestFees(sources, { isReadable: isPaid }, (rows, epoch) => {
    const own = rows.flatMap(({ row, fee }) =>
      fee.feesPaidPerParty.filter(({ party }) => isSameId(party, id)).map(({ amount }) => ({ row, fee, amount })),
    );
    const byAsset = Map.groupBy(own, ({ fee }) => fee.asset.toLowerCase());
    return [...byAsset].flatMap(([assetId, paid]) => {
      const [first] = paid;
      const total = sumAmounts(paid.map(({ amount }) => amount));
      if (first === undefined || total === undefined) return [];
      const on = countOf(new Set(paid.map(({ fee }) => fee.market.toLowerCase())).size, 'market');
      const sentence = `${amountText(total, unitOfAsset(directory, assetId))} of fees on ${on} in epoch ${epoch}`;
      return [{ sentence, resource: paidLiquidityFees.id, key: paidLiquidityFees.keyOf(first.row) }];
    });
  });
};

const feesOfMarket = (id: string, { sources, directory }: LookUpContext): OwnLookUp =>
  newestFees(sources, {}, (rows, epoch) =>
    rows
      .filter(({ fee }) => isSameId(fee.market, id))
      .map(({ row, fee }) => ({
        sentence: `${amountText(fee.totalFeesPaid, unitOfAsset(directory, fee.asset))} of fees in epoch ${epoch}`,
        ...{ resource: paidLiquidityFees.id, key: paidLiquidityFees.keyOf(row) },
      })),
  );

interface FeeRecord {
  readonly row: Row;
  readonly fee: FeeRow;
}

interface FeeReadOptions {
  /** Whether the field to compare can be read in a row. */
  readonly isReadable?: (record: FeeRecord) => boolean;
}

/** Looks into the fees of the newest epoch that has some. */
function newestFees(
  { fees, epoch: current }: MineSources,
  { isReadable = ({ fee }) => wholeAmount(fee.totalFeesPaid) !== undefined }: FeeReadOptions,
  find: (rows: readonly FeeRecord[], epoch: bigint) => readonly MineFact[],
): OwnLookUp {
  if (fees.kind !== 'read') return searchSource(fees, 'fees', () => []);
  const { newest, flaw } = readFees(fees.value, current);
  const none = newest === null ? 'no fees in any epoch listed' : `no fees in epoch ${newest}`;
  const ofNewest = fees.value
    .map(row => ({ row, fee: readFeeRow(row) }))
    .filter(({ fee }) => newest !== null && epochNumber(fee.epochSeq) === newest);
  const all = [...new Map(ofNewest.map(record => [feeRowKey(record.fee), record])).values()];
  const records = all.filter(isReadable);
  const odd = all.length - records.length;
  const gap = flaw !== '' ? flaw : odd > 0 ? `${countOf(odd, 'row')} cannot be read` : fees.gap;
  return searchSource({ ...fees, gap }, 'fees', () => (newest === null ? [] : find(records, newest)), none);
}

const submitterBundles = (id: string, { sources, directory }: LookUpContext): OwnLookUp =>
  searchSource(
    readableOnly(sources.bundles, ({ row }) => readAddress(jsonText(row.submitter)) !== undefined),
    'signer bundles',
    seen => {
      const own = seen.filter(({ row }) => isSameId(jsonText(row.submitter), id));
      const nodes = sources.validators.kind === 'read' ? sources.validators.value : [];
      const needed = new Set(
        bundlesToCheck(
          own.map(({ row }) => row),
          nodes,
          sources.epoch,
        ),
      );
      const open = own.filter(({ row }) => needed.has(row));
      const usable = open.filter(({ checked }) => checked === null || bundleReadiness(checked) !== 'no');
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

/** An unreadable record may be the one searched for. */
function readableOnly<Seen>(
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

const validatorRank = (id: string, { sources }: LookUpContext): OwnLookUp =>
  searchSource(
    sources.validators,
    'validators',
    rows => {
      const each = new Map(rows.map(row => [jsonText(row.id), row]));
      const all = [...each.values()].map(row => ({ row, ...readValidator(row) }));
      const own = all.find(one => isSameId(one.id, id));
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
        ...(isScore(score) && score.length <= MAX_SCORE_LENGTH ? [`multisig score ${score}`] : []),
      ];
      return [{ sentence: parts.join(', '), resource: validators.id, key: validators.keyOf(own.row) }];
    },
    'not among the validators of this node',
  );

const MAX_SCORE_LENGTH = 20;

const ROLES: ReadonlyMap<string, string> = new Map([
  ['VALIDATOR_NODE_STATUS_TENDERMINT', 'in consensus'],
  ['VALIDATOR_NODE_STATUS_ERSATZ', 'on standby'],
  ['VALIDATOR_NODE_STATUS_PENDING', 'waiting to become a validator'],
]);

const marketState = (id: string, { sources }: LookUpContext): OwnLookUp =>
  searchSource(
    sources.markets,
    'markets',
    rows =>
      rows
        .filter(row => isSameId(jsonText(row.id), id))
        .map(row => ({
          sentence: /^STATE_([A-Z_]{1,40})$/.exec(jsonText(row.state))?.[1] ?? 'state not known',
          resource: markets.id,
          key: markets.keyOf(row),
        })),
    'not among the markets of this node',
  );
