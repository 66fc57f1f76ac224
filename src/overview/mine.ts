import { jsonText } from '../api/json.ts';
import { bundlesToCheck } from '../attention/bundle-to-submit.ts';
import { nameOrId } from '../attention/names.ts';
import type { Loading, ProvisionsSeen } from '../attention/seen.ts';
import { type Directory, plainNameOf, unitOfAsset, unitOfMarket } from '../directory/directory.ts';
import { MINE_ENTITIES, type Mine, type MineEntity } from '../directory/mine.ts';
import { countOf } from '../insight/count-of.ts';
import { percent } from '../insight/decimal.ts';
import { epochNumber, type FeeRow, sumOf } from '../insight/paid-fees.ts';
import { outlookOf } from '../insight/provision.ts';
import { amountText } from '../resources/amount-text.ts';
import { liquidityProvisions, readProvision } from '../resources/liquidity-provisions.ts';
import { markets } from '../resources/markets.ts';
import { feeRowOf, paidLiquidityFees } from '../resources/paid-liquidity-fees.ts';
import type { Row } from '../resources/resource.ts';
import { signerBundles } from '../resources/signer-bundles.ts';
import { readValidator, validators } from '../resources/validators.ts';
import { readFees } from './fees.ts';

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
}

export interface MineFact {
  readonly sentence: string;
  /** The record behind it; null if there is none. */
  readonly resource: string | null;
  readonly key: string | null;
}

/** The lists that were read for the overview. */
export interface MineSources {
  readonly markets: Loading<readonly Row[]>;
  readonly validators: Loading<readonly Row[]>;
  readonly bundles: Loading<readonly Row[]>;
  readonly fees: Loading<readonly Row[]>;
  readonly provisions: Loading<ProvisionsSeen>;
  readonly epoch: bigint | null;
}

/** A line for each thing that is the user's, from what was read anyway: no request is sent for it. */
export function mineLines(mine: Mine, sources: MineSources, directory: Directory): readonly MineLine[] {
  const place = { sources, directory };
  return MINE_ENTITIES.flatMap(entity =>
    [...mine[entity]].map(id => {
      const found = LOOKS[entity](id, place);
      return {
        ...{ entity, id, name: plainNameOf(directory, entity, id) ?? null },
        facts: found.flatMap(({ facts }) => facts),
        unread: [...new Set(found.flatMap(({ unread }) => unread))],
      };
    }),
  );
}

interface Place {
  readonly sources: MineSources;
  readonly directory: Directory;
}

/** What one list says, and why it may not say all. */
type Look = Pick<MineLine, 'facts' | 'unread'>;

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

/** Few validators provide liquidity, so that is not said of each that does not. */
const onlyFound = ({ facts, unread }: Look): Look => ({ facts: facts.filter(({ key }) => key !== null), unread });

/** Looks into a list. `title` is what it is called where it cannot be read. */
function lookInto<Value>(
  source: Loading<Value>,
  title: string,
  find: (value: Value) => readonly MineFact[],
  none = '',
): Look {
  switch (source.kind) {
    case 'waiting':
      return { facts: [], unread: [] };
    case 'unread':
      return { facts: [], unread: [`${title} not known: ${source.why}`] };
    case 'read': {
      const facts = find(source.value);
      if (source.gap !== '') return { facts, unread: [`${title} in part: ${source.gap}`] };
      return {
        facts: facts.length > 0 || none === '' ? facts : [{ sentence: none, resource: null, key: null }],
        unread: [],
      };
    }
  }
}

const isSame = (value: string, id: string): boolean => value.toLowerCase() === id;

const provisionsOnMarket = (id: string, { sources, directory }: Place): Look =>
  lookInto(sources.provisions, 'provisions', ({ marketId, rows }) => {
    const market = nameOrId(directory, 'market', marketId);
    return rows.flatMap(row => {
      const provision = readProvision(row);
      const { current } = provision;
      if (!isSame(current.partyId, id)) return [];
      const amount = amountText(current.commitmentAmount, unitOfMarket(directory, marketId));
      const status = current.status.replace(/^STATUS_/, '');
      const change = NEXT[outlookOf(provision).kind];
      const sentence = `${amount} committed to ${market}, ${status}${change}`;
      return [{ sentence, resource: liquidityProvisions.id, key: liquidityProvisions.keyOf(row) }];
    });
  });

/** Of one market alone, whatever else there is: so it is said which. */
function provisionsOf(id: string, place: Place): Look {
  const { provisions } = place.sources;
  const look = provisionsOnMarket(id, place);
  if (provisions.kind !== 'read' || provisions.gap !== '') return look;
  const market = nameOrId(place.directory, 'market', provisions.value.marketId);
  const unread = look.facts.length > 0 ? 'other markets were not asked' : `none on ${market}, others were not asked`;
  return { ...look, unread: [`provisions: ${unread}`] };
}

const NEXT = {
  stays: '',
  leaves: ', leaves at the next epoch',
  enters: ', joins at the next epoch',
  changes: ', changes at the next epoch',
  unknown: ', may change at the next epoch',
} as const;

/** What the newest epoch allocated, by asset. */
const feesOfParty = (id: string, { sources, directory }: Place): Look =>
  newestFees(sources, (rows, epoch) => {
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

const feesOfMarket = (id: string, { sources, directory }: Place): Look =>
  newestFees(sources, (rows, epoch) =>
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

/** Looks into the fees of the newest epoch that has some. */
function newestFees(
  { fees }: MineSources,
  find: (rows: readonly FeeRecord[], epoch: bigint) => readonly MineFact[],
): Look {
  if (fees.kind !== 'read') return lookInto(fees, 'fees', () => []);
  const { newest, unreadable } = readFees(fees.value);
  const gap = unreadable === 0 ? fees.gap : `${countOf(unreadable, 'row')} cannot be read`;
  const none = newest === null ? 'no fees in any epoch listed' : `no fees in epoch ${newest}`;
  const records = fees.value
    .map(row => ({ row, fee: feeRowOf(row) }))
    .filter(({ fee }) => newest !== null && epochNumber(fee.epochSeq) === newest);
  return lookInto({ ...fees, gap }, 'fees', () => (newest === null ? [] : find(records, newest)), none);
}

const bundlesOf = (id: string, { sources, directory }: Place): Look =>
  lookInto(
    sources.bundles,
    'signer bundles',
    rows => {
      const own = rows.filter(row => isSame(jsonText(row.submitter), id));
      const nodes = sources.validators.kind === 'read' ? sources.validators.value : [];
      const open = bundlesToCheck(own, nodes, sources.epoch);
      const [newest] = open.length > 0 ? open : own;
      if (newest === undefined) return [];
      const signer = nameOrId(directory, 'submitter', jsonText(newest.oldSigner));
      const sentence =
        open.length === 0
          ? `${countOf(own.length, 'signer bundle')} that only it can submit, none known to be needed`
          : `${countOf(open.length, 'signer bundle')} that only it can submit, the newest removes ${signer}`;
      return [{ sentence, resource: signerBundles.id, key: signerBundles.keyOf(newest) }];
    },
    'no signer bundle that it can submit',
  );

const rankOf = (id: string, { sources }: Place): Look =>
  lookInto(
    sources.validators,
    'validators',
    rows => {
      const all = rows.map(row => ({ row, ...readValidator(row) }));
      const own = all.find(one => isSame(one.id, id));
      if (own === undefined) return [];
      const { status, votingPower, performanceScore } = own.rankingScore;
      const role = ROLES.get(status) ?? 'role not known';
      const power = (text: string): bigint => (/^\d{1,30}$/.test(text) ? BigInt(text) : -1n);
      const rank = 1 + all.filter(one => power(one.rankingScore.votingPower) > power(votingPower)).length;
      const score = own.rewardScore.multisigScore;
      const parts = [
        role,
        ...(power(votingPower) > 0n ? [`rank ${rank} of ${all.length} by voting power`] : []),
        ...(/^[\d.]+$/.test(performanceScore) ? [`performance ${percent(performanceScore)}`] : []),
        ...(/^[\d.]{1,20}$/.test(score) ? [`multisig score ${score}`] : []),
      ];
      return [{ sentence: parts.join(', '), resource: validators.id, key: validators.keyOf(own.row) }];
    },
    'not among the validators of this node',
  );

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
          sentence: jsonText(row.state).replace(/^STATE_/, '') || 'state not known',
          resource: markets.id,
          key: markets.keyOf(row),
        })),
    'not among the markets of this node',
  );
