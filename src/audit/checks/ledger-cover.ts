import { countText } from '../../insight/count-of.ts';
import { isHashed } from '../account-names.ts';
import type { Check, CheckGround } from '../check.ts';
import type { AuditRow } from '../rows.ts';
import type { BlockPlace, RunningCheck } from '../running-check.ts';

const COMMON = {
  kind: 'differs',
  isOptional: true,
  blindSpots: [`fewer than three, or less than a tenth, without a ledger row: those are worth a look`],
} as const;

/** A single reward may fail to be paid; a large part without payouts shows that the ledger is not whole. */
export const rewardsInLedger: Check = {
  ...COMMON,
  name: 'rewards-in-ledger',
  title: 'no large part of the rewards lacks a ledger row',
  tables: ['ledger', 'rewards'],
  start: ground =>
    coverOf(ground, {
      what: 'rewards',
      owed: row =>
        row.table === 'rewards' && row.amount > 0n && isHashed(row.asset) && isOf(row.party, ground) ? [''] : [],
      pays: type => type === 'REWARD_PAYOUT',
      isMutual: true,
    }),
};

/** The same for fees of trades: an account without money pays none. */
export const feesInLedger: Check = {
  ...COMMON,
  name: 'fees-in-ledger',
  title: 'no large part of the fees of trades lacks a ledger row',
  tables: ['ledger', 'trades'],
  start: ground => {
    const kindsOf = (row: AuditRow): readonly string[] => {
      if (row.table !== 'trades') return [];
      return [row.buyer, row.seller].flatMap(({ party, makerFee, infrastructureFee, liquidityFee }) =>
        isHashed(party) && isOf(party, ground)
          ? [makerFee, infrastructureFee, liquidityFee].flatMap((fee, kind) => (fee > 0n ? [`${party} ${kind}`] : []))
          : [],
      );
    };
    return coverOf(ground, { what: 'fees of trades', owed: kindsOf, pays: type => FEES.includes(type) });
  },
};

const FEES: readonly string[] = ['MAKER_FEE_PAY', 'INFRASTRUCTURE_FEE_PAY', 'LIQUIDITY_FEE_PAY'];

const isOf = (party: string, { party: only }: CheckGround): boolean => only === undefined || party === only;

interface Cover {
  /** `rewards` */
  readonly what: string;
  /** What a row says was paid: '' for one payment, or a name that all rows of one payment have. */
  readonly owed: (row: AuditRow) => readonly string[];
  /** Whether a ledger row of this type pays it. */
  readonly pays: (type: string) => boolean;
  /** Nothing else has ledger rows of this type, so a large part of them without rows of the table is a difference, too. */
  readonly isMutual?: boolean;
}

/**
 * Counts payments against ledger rows of their type, block by block. So it needs no name of an asset or a market, and holds
 * for rows whose accounts are not known.
 */
function coverOf({ findings, isWanted }: CheckGround, { what, owed, pays, isMutual = false }: Cover): RunningCheck {
  let here = { named: new Set<string>(), unnamed: 0, paid: 0, ledger: 0 };
  let all = { owed: 0, missing: 0, paid: 0, alone: 0 };
  let silent: { readonly from: BlockPlace; to: BlockPlace; blocks: number } | undefined;
  let last: BlockPlace | undefined;
  const judgeSilence = (): void => {
    if (silent !== undefined && silent.blocks >= LEAST)
      findings.differs({
        what: `${countText(silent.blocks)} blocks in a row have ${what}, but no ledger row: ${placeText(silent.from)} to ${placeText(silent.to)}`,
        block: silent.to,
      });
    silent = undefined;
  };
  const judge = (): void => {
    judgeSilence();
    const { owed: of, missing, paid, alone } = all;
    if (missing >= LEAST && missing * LARGE >= of)
      findings.differs({ what: `${countText(missing)} of ${countText(of)} ${what} have no ledger row`, block: last });
    if (isMutual && alone >= LEAST && alone * LARGE >= paid)
      findings.differs({
        what: `${countText(alone)} of ${countText(paid)} payouts in the ledger have no row in ${what}`,
      });
    all = { owed: 0, missing: 0, paid: 0, alone: 0 };
  };
  return {
    beginRange: judge,
    row: row => {
      findings.read();
      if (row.table === 'ledger') {
        here.ledger++;
        if (row.quantity > 0n && pays(row.type) && (isWanted === undefined || isWanted(row.from) || isWanted(row.to)))
          here.paid++;
        return;
      }
      for (const name of owed(row))
        if (name === '') here.unnamed++;
        else here.named.add(name);
    },
    endBlock: block => {
      const { named, unnamed, paid, ledger } = here;
      here = { named: new Set(), unnamed: 0, paid: 0, ledger: 0 };
      const count = named.size + unnamed;
      all.paid += paid;
      all.alone += Math.max(0, paid - count);
      if (count === 0) {
        if (ledger > 0) judgeSilence();
        return;
      }
      for (let each = 0; each < count; each++) findings.compared(block);
      all.owed += count;
      all.missing += Math.max(0, count - paid);
      last = block;
      if (ledger > 0) judgeSilence();
      else if (silent === undefined) silent = { from: block, to: block, blocks: 1 };
      else {
        silent.to = block;
        silent.blocks++;
      }
    },
    end: judge,
  };
}

/** Fewer payments or blocks may have an innocent cause, such as a transfer that failed. */
const LEAST = 3;
/** A tenth. */
const LARGE = 10;

const placeText = ({ height, timeUs }: BlockPlace): string =>
  height === undefined ? new Date(timeUs / 1000).toISOString() : `block ${height}`;
