import { type Directory, unitOfAsset } from '../../chain/directory/directory.ts';
import { findIds } from '../../chain/directory/find-ids.ts';
import { toWholeUnits } from '../../chain/insight/decimal.ts';
import { epochNumber, type FeeRow, wholeAmount } from '../../chain/insight/paid-fees.ts';
import { amountText } from '../../chain/resources/amount-text.ts';
import { paidLiquidityFees, readFeeRow } from '../../chain/resources/paid-liquidity-fees.ts';
import type { Row } from '../../chain/resources/resource.ts';
import { nameOrId } from './name-texts.ts';
import { type MemoryRuleResult, type RuleFinding, unknownFinding } from './rule.ts';
import type { Loading } from './rule-input.ts';

export const INCOME = { id: 'income', about: 'income that is missing or below its bound' } as const;

/** The last epoch in which a party of the user was allocated fees, by party. */
export type IncomeMemory = ReadonlyMap<string, LastIncome>;

interface LastIncome {
  readonly epoch: string;
  /** Smallest units by asset, both as text. */
  readonly amounts: readonly (readonly [assetId: string, amount: string])[];
}

/** The least that all parties of the user together are to be allocated in an epoch, in whole units. */
export interface IncomeBound {
  /** Symbol or id. */
  readonly asset: string;
  readonly least: string;
}

interface IncomeSettings {
  readonly parties: ReadonlySet<string>;
  readonly bounds: readonly IncomeBound[];
  readonly directory: Directory;
  /** The current epoch: that before it is the last finished one. */
  readonly epoch: bigint | null;
  /** Whether the data node has seen the end of that epoch; its fees are listed then. */
  readonly isPastEnd: boolean;
}

/**
 * What the last finished epoch allocated to parties of the user. A party that was allocated something before, and nothing now,
 * misses its income; one that never was allocated anything does not.
 */
export function compareIncome(
  source: Loading<readonly Row[]>,
  before: IncomeMemory | null,
  earning: IncomeSettings,
): MemoryRuleResult<IncomeMemory> {
  const known = before ?? new Map<string, LastIncome>();
  const unsaid = (why: string) => ({
    findings: [unknownFinding(`${INCOME.about}: not known: ${why}`)],
    memory: before,
  });
  if (source.kind !== 'read') return unsaid(source.kind === 'unread' ? source.why : 'the fees were not requested');
  const { epoch, isPastEnd } = earning;
  if (epoch === null) return unsaid('the node does not report the current epoch');
  if (epoch < 1n || !isPastEnd) return unsaid('the data node has not seen the end of the last epoch yet');
  if (source.gap !== '') return unsaid(`the fees were read in part: ${source.gap}`);
  const rows = source.value.map(readFeeRow);
  const unreadable = rows.filter(row => !isReadable(row)).length;
  if (unreadable > 0) return unsaid(`${unreadable} of ${rows.length} rows of fees cannot be read`);
  const last = epoch - 1n;
  const memory = rememberIncome(known, rows, earning.parties, last);
  const found = sumIncome(
    rows.filter(({ epochSeq }) => epochNumber(epochSeq) === last),
    earning.parties,
  );
  return {
    findings: [
      ...missingIncomeFindings(memory, found, last, earning),
      ...earning.bounds.flatMap(bound => lowIncomeFindings(bound, found, last, earning)),
    ],
    memory,
  };
}

const isReadable = ({ epochSeq, feesPaidPerParty }: FeeRow): boolean =>
  epochNumber(epochSeq) !== undefined && feesPaidPerParty.every(({ amount }) => wholeAmount(amount) !== undefined);

/** Smallest units by party and asset. */
type Amounts = ReadonlyMap<string, ReadonlyMap<string, bigint>>;

function sumIncome(rows: readonly FeeRow[], parties: ReadonlySet<string>): Amounts {
  const found = new Map<string, Map<string, bigint>>();
  for (const { asset, feesPaidPerParty } of rows) {
    for (const { party, amount } of feesPaidPerParty) {
      const [id, assetId, units] = [party.toLowerCase(), asset.toLowerCase(), wholeAmount(amount) ?? 0n];
      if (!parties.has(id) || units === 0n) continue;
      const own = found.get(id) ?? new Map<string, bigint>();
      found.set(id, own.set(assetId, (own.get(assetId) ?? 0n) + units));
    }
  }
  return found;
}

/** The remembered income, updated with newer epochs from the rows. */
function rememberIncome(
  known: IncomeMemory,
  rows: readonly FeeRow[],
  parties: ReadonlySet<string>,
  last: bigint,
): IncomeMemory {
  const memory = new Map([...known].filter(([party]) => parties.has(party)));
  const byEpoch = Map.groupBy(rows, ({ epochSeq }) => epochNumber(epochSeq) ?? 0n);
  for (const [epoch, own] of [...byEpoch].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    if (epoch > last) continue;
    for (const [party, amounts] of sumIncome(own, parties)) {
      if (BigInt(memory.get(party)?.epoch ?? '-1') >= epoch) continue;
      const texts = [...amounts]
        .filter(([asset]) => asset.length <= MAX_ID_LENGTH)
        .slice(0, MAX_ASSETS)
        .map(([asset, amount]) => [asset, String(amount)] as const);
      memory.set(party, { epoch: String(epoch), amounts: texts });
    }
  }
  return memory;
}

/** So that no node can fill the disk. */
const MAX_ID_LENGTH = 100;
const MAX_ASSETS = 50;

const missingIncomeFindings = (
  memory: IncomeMemory,
  found: Amounts,
  last: bigint,
  { directory }: IncomeSettings,
): readonly RuleFinding[] =>
  [...memory].flatMap(([party, { epoch, amounts }]) => {
    if (found.has(party)) return [];
    const [first] = amounts;
    const before = first === undefined ? 'some' : amountText(first[1], unitOfAsset(directory, first[0]));
    return [
      {
        severity: 'warning',
        sentence: `no fees allocated to ${nameOrId(directory, 'party', party)} in epoch ${last}, was ${before} in epoch ${epoch}`,
        resource: paidLiquidityFees.id,
        key: party,
      },
    ];
  });

function lowIncomeFindings(
  { asset, least }: IncomeBound,
  found: Amounts,
  last: bigint,
  { directory }: IncomeSettings,
): readonly RuleFinding[] {
  const ids = findIds(directory, 'asset', asset);
  const [match] = ids;
  const unit = match === undefined || ids.length > 1 ? undefined : unitOfAsset(directory, match);
  if (match === undefined || unit === undefined) {
    const why =
      ids.length > 1
        ? `${ids.length} assets share this name; use an id: ${ids.join(', ')}`
        : match === undefined
          ? 'the node lists no such asset'
          : 'its decimals are not known';
    return [unknownFinding(`whether your income in ${asset} is below ${least} is not known: ${why}`)];
  }
  const total = [...found.values()].reduce((sum, own) => sum + (own.get(match) ?? 0n), 0n);
  // Both in smallest units, so that nothing is rounded.
  const bound = wholeAmount(
    toWholeUnits(least.replace('.', ''), (least.split('.')[1] ?? '').length - unit.decimals) ?? '',
  );
  if (bound === undefined) return [unknownFinding(`${least} ${asset} has more decimal places than the asset`)];
  if (total >= bound) return [];
  const sentence = `${amountText(String(total), unit)} allocated to your parties in epoch ${last}, less than ${amountText(String(bound), unit)}`;
  return [{ severity: 'warning', sentence, resource: paidLiquidityFees.id, key: `least ${match}` }];
}
