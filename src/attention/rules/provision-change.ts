import { type Unit, unitOfMarket } from '../../chain/directory/directory.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { compareDecimals } from '../../chain/insight/decimal.ts';
import { wholeAmount } from '../../chain/insight/paid-fees.ts';
import { committedVersion, nextEpochOutlook, type Outlook, stageOf } from '../../chain/insight/provision.ts';
import { amountText } from '../../chain/resources/amount-text.ts';
import { liquidityProvisions, type ProvisionRow, readProvision } from '../../chain/resources/liquidity-provisions.ts';
import type { Row } from '../../chain/resources/resource.ts';
import { nameOrId } from './name-texts.ts';
import { defineRule, type ListedFinding, listedUnknown } from './rule.ts';
import type { RuleContext } from './rule-input.ts';

export const provisionChange = defineRule({
  id: 'provision-change',
  about: 'provisions that change at the next epoch',
  subject: 'Provisions',
  needs: ['provisions'],
  find: (read, known) => {
    const { marketId, rows, epochBegun } = read('provisions');
    const all = rows
      .map(row => ({ row, provision: readProvision(row) }))
      .filter(({ provision }) => isOnMarket(provision.current, marketId));
    const unsaid = all.filter(({ provision }) => stageOf(provision.current) === undefined);
    const changing = all
      .map(one => ({ ...one, kind: nextEpochOutlook(one.provision).kind }))
      .filter(({ kind, provision }) => kind !== 'stays' && stageOf(provision.current) !== undefined)
      .toSorted(largestFirst);
    const market = nameOrId(known.directory, 'market', marketId);
    const [first] = changing;
    if (epochBegun !== null) return [pastChangeFinding(epochBegun, changing, { all: all.length, market })];
    const found = first === undefined ? [] : [changesFinding(changing, first, { all: all.length, market, known })];
    return unsaid.length === 0
      ? found
      : [
          ...found,
          listedUnknown(
            market,
            `the status of ${countOf(unsaid.length, 'provision')} of ${market} is not known here`,
            `status of ${countOf(unsaid.length, 'provision')} not known`,
          ),
        ];
  },
});

interface PendingChange {
  readonly row: Row;
  readonly provision: ProvisionRow;
  readonly kind: Outlook['kind'];
}

/** Whether a version is on the market that was asked about: some nodes ignore the filter. */
export const isOnMarket = ({ marketId }: Pick<ProvisionRow['current'], 'marketId'>, market: string): boolean =>
  marketId.toLowerCase() === market.toLowerCase();

/** A commitment for a sentence. */
export const commitmentText = (raw: string, unit: Unit | undefined): string =>
  wholeAmount(raw) === undefined ? 'an amount that cannot be read' : amountText(raw, unit);

/** Those that leave come first. */
function largestFirst(one: PendingChange, other: PendingChange): number {
  if ((one.kind === 'leaves') !== (other.kind === 'leaves')) return one.kind === 'leaves' ? -1 : 1;
  return compareDecimals(other.provision.current.commitmentAmount, one.provision.current.commitmentAmount);
}

interface FindingContext {
  readonly all: number;
  readonly market: string;
  readonly known: RuleContext;
}

const changesFinding = (
  changing: readonly PendingChange[],
  first: PendingChange,
  place: FindingContext,
): ListedFinding => ({
  severity: 'info',
  subject: place.market,
  fact:
    changing.length === 1
      ? `1 provision ${VERBS[first.kind].replace(/ on$/, '')} next epoch`
      : `${changing.length} of ${countOf(place.all, 'provision')} change next epoch`,
  sentence: changing.length === 1 ? oneSentence(first, place) : manySentence(changing, place),
  resource: liquidityProvisions.id,
  key: liquidityProvisions.keyOf(first.row),
});

function oneSentence({ provision, kind }: PendingChange, { market, known }: FindingContext): string {
  const current = committedVersion(provision);
  const who = nameOrId(known.directory, 'party', current.partyId);
  const amount = commitmentText(current.commitmentAmount, unitOfMarket(known.directory, current.marketId));
  // The older list shows a leaving provision without its amount.
  const size = kind === 'leaves' && provision.pending === null ? '' : ` (${amount})`;
  return `provision of ${who}${size} ${VERBS[kind]} ${market} at the next epoch`;
}

const VERBS: { readonly [kind in Outlook['kind']]: string } = {
  leaves: 'leaves',
  enters: 'joins',
  changes: 'is amended on',
  unknown: 'joins or is amended on',
  stays: 'stays on',
};

const manySentence = (changing: readonly PendingChange[], { all, market }: FindingContext): string =>
  `${changing.length} of ${countOf(all, 'live provision')} of ${market} change at the next epoch: ${kindsText(changing)}`;

/** The pending change has taken effect, unless it was amended again: only newer answers show the next change. */
function pastChangeFinding(
  epoch: string,
  changing: readonly PendingChange[],
  { all, market }: Pick<FindingContext, 'all' | 'market'>,
): ListedFinding {
  const [first] = changing;
  if (first === undefined)
    return listedUnknown(
      market,
      `provisions of ${market} that change at the next epoch: not known, read before epoch ${epoch} began`,
    );
  const were = `${changing.length} of ${countOf(all, 'live provision')} of ${market} ${changing.length === 1 ? 'was' : 'were'}`;
  return {
    ...listedUnknown(
      market,
      `${were} to change when epoch ${epoch} began (${kindsText(changing)}); what changes next is not known`,
      'provisions were to change; what changes next is not known',
    ),
    ...{ resource: liquidityProvisions.id, key: liquidityProvisions.keyOf(first.row) },
  };
}

function kindsText(changing: readonly PendingChange[]): string {
  const count = (kind: Outlook['kind']): number => changing.filter(one => one.kind === kind).length;
  const parts = [
    ...(count('leaves') === 0 ? [] : [`${count('leaves')} to leave`]),
    ...(count('changes') === 0 ? [] : [`${count('changes')} amended`]),
    ...(count('enters') === 0 ? [] : [`${count('enters')} new`]),
    ...(count('unknown') === 0 ? [] : [`${count('unknown')} new or amended`]),
  ];
  return parts.join(', ');
}
