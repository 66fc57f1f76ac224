import type { Check, CheckInput } from '../check.ts';
import type { AuditRow } from '../rows.ts';
import type { RunningCheck } from '../running-check.ts';

const TRANSITS = ['deposits', 'withdrawals'] as const;

/** A deposit or withdrawal has a row for each of its states, all with the same party, asset and amount. */
export const versions: Check = {
  name: 'versions',
  title: 'rows of one deposit or withdrawal agree in party, asset and amount',
  kind: 'differs',
  tables: TRANSITS,
  blindSpots: ['a deposit or withdrawal with a single row'],
  start: ground => compareVersions(ground, 'agreement'),
};

/** Every deposit and withdrawal has a row of the block in which it was created. */
export const firstVersions: Check = {
  name: 'first-versions',
  title: 'deposits and withdrawals have a row from when they were created',
  kind: 'look',
  tables: TRANSITS,
  blindSpots: ['a first row that is the only one of its record, or older than the range'],
  start: ground => compareVersions(ground, 'first'),
};

/** What all rows of an id have in common. */
interface Version {
  /** Unique among deposits and withdrawals. */
  readonly key: string;
  readonly party: string;
  readonly asset: string;
  /** Text that is the same in all rows. */
  readonly same: string;
  readonly what: 'a deposit' | 'a withdrawal';
  readonly createdUs: number | undefined;
}

function readVersion(row: AuditRow): Version | undefined {
  if (row.table !== 'deposits' && row.table !== 'withdrawals') return undefined;
  const { table, id, party, asset, amount, createdUs } = row;
  const what = table === 'deposits' ? 'a deposit' : 'a withdrawal';
  return { key: `${table} ${id}`, party, asset, same: `${party} ${asset} ${amount}`, what, createdUs };
}

/** A check that decides the verdict must not report differences that may have an innocent cause. */
function compareVersions({ findings, party: only }: CheckInput, wants: 'agreement' | 'first'): RunningCheck {
  let known = new Map<string, Pick<Version, 'same' | 'party'>>();
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
      for (const { key, party, asset, same, what, createdUs } of rows) {
        const before = known.get(key);
        known.set(key, { same, party });
        const isTwice = here.has(key);
        here.add(key);
        if (only !== undefined && party !== only && before?.party !== only) continue;
        const of = { party, asset, block };
        if (wants === 'agreement') {
          if (before === undefined) continue;
          findings.compared(block);
          if (isTwice) findings.differs({ ...of, what: `a row of ${what} appears twice in one block` });
          else if (before.same !== same)
            findings.differs({ ...of, what: `rows of ${what} disagree on party, asset or amount` });
          continue;
        }
        if (before !== undefined || createdUs === undefined || createdUs < sinceUs) continue;
        findings.compared(block);
        if (createdUs !== block.timeUs) findings.differs({ ...of, what: `the first row of ${what} is missing` });
      }
      rows = [];
      for (const key of known.keys()) {
        if (known.size <= MAX_KNOWN_VERSIONS) break;
        known.delete(key);
        sinceUs = Number.POSITIVE_INFINITY;
      }
    },
  };
}

/** They take about 300 bytes each; the oldest are forgotten. */
const MAX_KNOWN_VERSIONS = 1_000_000;
