import { sanitize } from '../../base/text/safe-text.ts';
import { type Directory, nameOf } from '../../chain/directory/directory.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import { toWholeUnits } from '../../chain/insight/decimal.ts';
import type { PartyMove } from '../index.ts';

interface EventsInput {
  readonly moves: readonly PartyMove[];
  /** Why money moved, in words. */
  readonly reasonOf: (type: string | null) => string;
  readonly names: Directory;
  /** rotki's identifier of an asset, by the id of the asset. */
  readonly identifiers: ReadonlyMap<string, string>;
}

interface RotkiEvents {
  readonly csv: string;
  /** The omissions, and rotki's requirements for reading the rest, a sentence each. */
  readonly notes: readonly string[];
  /** Assets whose amounts cannot be written, because their decimals are not known. */
  readonly unknown: readonly string[];
}

const COLUMNS = ['Type', 'Location', 'Currency', 'Amount', 'Fee', 'Fee Currency', 'Description', 'Timestamp'];

/** Amounts received from others and sent to others, in the format of rotki's import of generic events. */
export function rotkiEvents({ moves, reasonOf, names, identifiers }: EventsInput): RotkiEvents {
  const lines: string[] = [];
  const left = new Map<string, number>();
  const unknown = new Set<string>();
  const unnamed = new Set<string>();
  let spot = 0;
  for (const move of moves) {
    const { account, received, sent, time } = move;
    const type = rotkiType(move);
    const smallest = received ?? sent ?? '0';
    if (type === undefined || BigInt(smallest) === 0n) {
      const why = type === undefined ? LEFT_OUT[move.part] : 'of nothing';
      left.set(why, (left.get(why) ?? 0) + 1);
      continue;
    }
    if (move.type === SPOT) spot++;
    const decimals = names.assets.get(account.asset)?.decimals ?? null;
    const amount = decimals === null ? undefined : toWholeUnits(smallest, decimals);
    if (amount === undefined) unknown.add(account.asset);
    const symbol = nameOf(names, 'asset', account.asset) ?? account.asset;
    if (!identifiers.has(account.asset)) unnamed.add(symbol);
    const currency = identifiers.get(account.asset) ?? symbol;
    const ms = Date.parse(`${time.slice(0, 23).replace(' ', 'T')}Z`);
    lines.push(csvLine([type, 'external', currency, amount ?? '', '', '', reasonOf(move.type), String(ms)]));
  }
  return {
    csv: `${[csvLine(COLUMNS), ...lines].join('\r\n')}\r\n`,
    notes: [
      ...[...left].map(([why, count]) => `not in the file: ${countOf(count, 'movement')} ${why}`),
      ...(spot === 0
        ? []
        : [
            `${countOf(spot, 'movement')} of spot trades are Income and Spend: rotki's events have no type for a trade, so bought assets count as income`,
          ]),
      ...(unnamed.size === 0
        ? []
        : [
            `rotki knows assets by its own identifiers: replace ${[...unnamed].join(', ')} with --identifier ASSET=ID if rows are not read`,
          ]),
    ],
    unknown: [...unknown],
  };
}

function rotkiType({
  part,
  received,
  type,
}: PartyMove): 'Deposit' | 'Withdrawal' | 'Income' | 'Loss' | 'Spend' | undefined {
  switch (part) {
    case 'deposited':
      return 'Deposit';
    case 'withdrawn':
      return 'Withdrawal';
    case 'income':
      if (received !== null) return 'Income';
      return LOSSES.test(type ?? '') ? 'Loss' : 'Spend';
    case 'own':
    case 'allocated':
    case 'withheld':
    case 'restored':
    case 'unclear':
      return undefined;
  }
}

const SPOT = 'TRANSFER_TYPE_SPOT';

/** Types of settlement and penalties; the remaining types are fees and transfers. */
const LOSSES = /LOSS|CONFISCATED|SLASHING|SLA_PENALTY/;

const LEFT_OUT: { readonly [part in PartyMove['part']]: string } = {
  income: '',
  deposited: '',
  withdrawn: '',
  own: 'between own accounts',
  allocated: 'into fee accounts, before penalties',
  withheld: 'withheld from fee accounts',
  restored: 'restored from a checkpoint',
  unclear: 'with an unknown account',
};

const csvLine = (cells: readonly string[]): string => cells.map(cellText).join(',');

/** A cell in one line. No spreadsheet takes it for a formula. */
function cellText(cell: string): string {
  const text = sanitize(cell);
  const guarded = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
