import { countText } from '../../../chain/insight/count-of.ts';
import { isEntityId } from '../account-names.ts';
import type { Check, CheckInput } from '../check.ts';
import type { BlockPlace, RunningCheck } from '../check-interface.ts';
import type { AuditRow } from '../rows.ts';

const COMMON_MEMBERS = {
  kind: 'differs',
  isOptional: true,
  blindSpots: [`fewer than three, or less than a tenth, without a ledger row: those are worth a look`],
} as const;

/** A single reward may fail to be paid; a large part without payouts shows that the ledger is not whole. */
export const rewardsInLedger: Check = {
  ...COMMON_MEMBERS,
  name: 'rewards-in-ledger',
  title: 'nearly all rewards have a ledger row',
  tables: ['ledger', 'rewards'],
  start: ground =>
    checkCover(ground, {
      what: 'rewards',
      owed: row =>
        row.table === 'rewards' && row.amount > 0n && isEntityId(row.asset) && isWantedParty(row.party, ground)
          ? ['']
          : [],
      pays: type => type === 'REWARD_PAYOUT',
      alone: {
        isOfIt: type => type === 'REWARD_PAYOUT',
        per: 'row',
        words: 'payouts in the ledger have no row in rewards',
      },
    }),
};

/** The same for fees of trades: an account without money pays none. */
export const feesInLedger: Check = {
  ...COMMON_MEMBERS,
  name: 'fees-in-ledger',
  title: 'nearly all trade fees have a ledger row, and those in the ledger a trade',
  tables: ['ledger', 'trades'],
  start: ground => {
    const kindsOf = (row: AuditRow): readonly string[] => {
      if (row.table !== 'trades') return [];
      return [row.buyer, row.seller].flatMap(({ party, makerFee, infrastructureFee, liquidityFee }) =>
        isEntityId(party) && isWantedParty(party, ground)
          ? [makerFee, infrastructureFee, liquidityFee].flatMap((fee, kind) => (fee > 0n ? [`${party} ${kind}`] : []))
          : [],
      );
    };
    return checkCover(ground, {
      what: 'fees of trades',
      owed: kindsOf,
      pays: type => FEES.includes(type),
      // A fee may have several ledger rows, and transfers pay for infrastructure, too.
      alone: {
        isOfIt: type => type === 'MAKER_FEE_PAY' || type === 'LIQUIDITY_FEE_PAY',
        per: 'block',
        words: 'blocks in which the ledger has fees of trades have no trade',
      },
    });
  },
};

const FEES: readonly string[] = ['MAKER_FEE_PAY', 'INFRASTRUCTURE_FEE_PAY', 'LIQUIDITY_FEE_PAY'];

const isWantedParty = (party: string, { party: only }: CheckInput): boolean => only === undefined || party === only;

interface Cover {
  /** `rewards` */
  readonly what: string;
  /** The payments that a row claims: '' for one payment, or a name shared by all rows of one payment. */
  readonly owed: (row: AuditRow) => readonly string[];
  /** Whether a ledger row of this type pays it. */
  readonly pays: (type: string) => boolean;
  /** A large part of the ledger rows that have no other cause, but no row of the table, is a difference, too. */
  readonly alone: {
    readonly isOfIt: (type: string) => boolean;
    /** The unit: ledger rows against payments owed, or blocks with ledger rows against blocks with table rows. */
    readonly per: 'row' | 'block';
    readonly words: string;
  };
}

/**
 * Counts payments against ledger rows of their type, block by block. So it needs no name of an asset or a market, and holds
 * for rows whose accounts are not known.
 */
function checkCover({ findings, isWanted }: CheckInput, { what, owed, pays, alone }: Cover): RunningCheck {
  let here: BlockCounts = { ...NO_COUNTS, named: new Set() };
  let all = { owed: 0, missing: 0, ofIt: 0, alone: 0 };
  let silent: { readonly from: BlockPlace; to: BlockPlace; blocks: number } | undefined;
  let last: BlockPlace | undefined;
  const judgeSilence = (): void => {
    if (silent !== undefined && silent.blocks >= MIN_SUSPICIOUS_COUNT)
      findings.differs({
        what: `${countText(silent.blocks)} blocks in a row have ${what}, but no ledger row: ${blockPlaceText(silent.from)} to ${blockPlaceText(silent.to)}`,
        block: silent.to,
      });
    silent = undefined;
  };
  const judge = (): void => {
    judgeSilence();
    const { owed: of, missing, ofIt } = all;
    if (missing >= MIN_SUSPICIOUS_COUNT && missing * LARGE_PART_DIVISOR >= of)
      findings.differs({ what: `${countText(missing)} of ${countText(of)} ${what} have no ledger row`, block: last });
    if (all.alone >= MIN_SUSPICIOUS_COUNT && all.alone * LARGE_PART_DIVISOR >= ofIt)
      findings.differs({ what: `${countText(all.alone)} of ${countText(ofIt)} ${alone.words}` });
    all = { owed: 0, missing: 0, ofIt: 0, alone: 0 };
  };
  return {
    beginRange: judge,
    row: row => {
      findings.read();
      if (row.table === 'ledger') {
        here.ledger++;
        if (row.quantity === 0n || (isWanted !== undefined && !isWanted(row.from) && !isWanted(row.to))) return;
        if (pays(row.type)) here.paid++;
        if (alone.isOfIt(row.type)) here.ofIt++;
        return;
      }
      here.rows++;
      for (const name of owed(row))
        if (name === '') here.unnamed++;
        else here.named.add(name);
    },
    endBlock: block => {
      const { named, unnamed, paid, ledger, ofIt, rows } = here;
      here = { ...NO_COUNTS, named: new Set() };
      const count = named.size + unnamed;
      const isByRow = alone.per === 'row';
      all.ofIt += isByRow ? ofIt : Math.min(1, ofIt);
      all.alone += isByRow ? Math.max(0, ofIt - count) : Number(ofIt > 0 && rows === 0);
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

interface BlockCounts {
  readonly named: Set<string>;
  unnamed: number;
  paid: number;
  ledger: number;
  ofIt: number;
  rows: number;
}

const NO_COUNTS = { unnamed: 0, paid: 0, ledger: 0, ofIt: 0, rows: 0 } as const;

/** Fewer payments or blocks may have an innocent cause, such as a transfer that failed. */
const MIN_SUSPICIOUS_COUNT = 3;
/** A tenth. */
const LARGE_PART_DIVISOR = 10;

const blockPlaceText = ({ height, timeUs }: BlockPlace): string =>
  height === undefined ? new Date(timeUs / 1000).toISOString() : `block ${height}`;
