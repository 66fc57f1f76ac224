import type { Check, CheckInput } from '../check.ts';
import type { RunningCheck } from '../check-interface.ts';
import type { AuditRow } from '../rows.ts';

const TRANSITS = ['deposits', 'withdrawals'] as const;

/** A deposit or withdrawal has a row for each of its states, all with the same party, asset and amount. */
export const versions: Check = {
  name: 'versions',
  title: 'rows of one deposit or withdrawal agree in party, asset and amount',
  kind: 'differs',
  tables: TRANSITS,
  blindSpots: ['a deposit or withdrawal with a single row'],
  start: ground => compareVersions(ground, { wants: 'agreement' }),
};

/** Every deposit and withdrawal has a row of the block in which it was created. */
export const firstVersions: Check = {
  name: 'first-versions',
  title: 'deposits and withdrawals have a row from when they were created',
  kind: 'look',
  tables: TRANSITS,
  blindSpots: ['a first row that is the only one of its record, or older than the range'],
  start: ground => compareVersions(ground, { wants: 'first' }),
};

/** The same for orders, whose size and price may change. */
export const orderVersions: Check = {
  name: 'order-versions',
  title: 'rows of one order agree in party, market and side, and its versions are consecutive',
  kind: 'look',
  tables: ['orders'],
  blindSpots: [
    'size, price and other values that an amendment can change',
    'the first row of an order that has no other one, or that is older than the range',
  ],
  start: ground => compareVersions(ground, { wants: 'both' }),
};

/** What all rows of an id have in common. */
interface Version {
  readonly key: string;
  readonly id: string;
  readonly party: string;
  readonly asset?: string | undefined;
  readonly market?: string | undefined;
  /** Text that is the same in all rows. */
  readonly same: string;
  /** Of an order: counts its amendments. */
  readonly number?: bigint | undefined;
  readonly what: 'deposit' | 'withdrawal' | 'order';
  readonly createdUs: number | undefined;
}

function readVersion(row: AuditRow): Version | undefined {
  if (row.table === 'orders') {
    const { id, party, market, side, createdUs } = row;
    return {
      ...{ key: `${id} ${row.version}`, id, party, market, createdUs },
      ...({ same: `${party} ${market} ${side}`, number: row.version, what: 'order' } as const),
    };
  }
  if (row.table !== 'deposits' && row.table !== 'withdrawals') return undefined;
  const { table, id, party, asset, amount, createdUs } = row;
  return {
    ...{ key: `${table} ${id}`, id: `${table} ${id}`, party, asset, createdUs },
    ...{ same: `${party} ${asset} ${amount}`, what: table === 'deposits' ? 'deposit' : 'withdrawal' },
  };
}

interface VersionOptions {
  /** A check that decides the verdict must not report differences that may have an innocent cause. */
  readonly wants: 'agreement' | 'first' | 'both';
}

function compareVersions({ findings, party: only }: CheckInput, { wants }: VersionOptions): RunningCheck {
  const hasAgreement = wants !== 'first';
  const hasFirst = wants !== 'agreement';
  let known = new Map<string, Pick<Version, 'same' | 'party' | 'number'>>();
  /** Everything created since this time has its first row in these files. */
  let sinceUs: number | undefined;
  let rows: Version[] = [];
  return {
    beginRange: isFirst => {
      sinceUs = isFirst ? Number.NEGATIVE_INFINITY : undefined;
      known = new Map();
    },
    row: row => {
      findings.read();
      const version = readVersion(row);
      if (version !== undefined) rows.push(version);
    },
    endBlock: block => {
      const here = new Set<string>();
      sinceUs ??= block.timeUs;
      for (const { key, id, party, asset, market, same, number, what, createdUs } of rows) {
        const before = known.get(id);
        known.set(id, { same, party, number });
        const isTwice = here.has(key);
        here.add(key);
        if (only !== undefined && party !== only && before?.party !== only) continue;
        const of = { party, asset, market, block };
        if (hasAgreement && (before !== undefined || isTwice)) {
          findings.compared(block);
          if (isTwice)
            findings.differs({ ...of, what: `a row of ${NOUNS_WITH_ARTICLE[what]} appears twice in one block` });
          else if (before?.same !== same)
            findings.differs({ ...of, what: `rows of ${NOUNS_WITH_ARTICLE[what]} ${INEQUALITIES[what]}` });
          else if (!isSameOrNext(number, before.number))
            findings.differs({ ...of, what: `version ${number} of an order comes after version ${before.number}` });
        }
        if (!hasFirst || before !== undefined || isTwice || createdUs === undefined || createdUs < sinceUs) continue;
        findings.compared(block);
        if (createdUs !== block.timeUs)
          findings.differs({ ...of, what: `the first row of ${NOUNS_WITH_ARTICLE[what]} is missing` });
      }
      rows = [];
      for (const id of known.keys()) {
        if (known.size <= MAX_KNOWN_VERSIONS) break;
        known.delete(id);
        sinceUs = Number.POSITIVE_INFINITY;
      }
    },
  };
}

/** They take about 300 bytes each; the oldest are forgotten. */
const MAX_KNOWN_VERSIONS = 1_000_000;

/** A row has the version of the one before, or the next. */
const isSameOrNext = (number: bigint | undefined, before: bigint | undefined): boolean =>
  number === before || number === (before ?? 0n) + 1n;

const NOUNS_WITH_ARTICLE = { deposit: 'a deposit', withdrawal: 'a withdrawal', order: 'an order' } as const;

const INEQUALITIES = {
  deposit: 'disagree on party, asset or amount',
  withdrawal: 'disagree on party, asset or amount',
  order: 'disagree on party, market or side',
} as const;
