import { printJson } from '../../chain/api/json.ts';
import { findListRules, parseStoredRow } from '../../memory/diff/list-rules.ts';
import type { SnapshotInfo, Snapshots, StoredList, StoredListName } from '../../memory/snapshots/index.ts';
import { UsageError } from '../usage-error.ts';
import { snapshotJson } from './stored-text.ts';

interface ExportPiece {
  readonly text: string;
  /** Some records of this list are lost. */
  readonly isDamaged: boolean;
}

/**
 * A snapshot as JSON lines: its description, then each list and its records, to the digit. A list that could not be read
 * is marked as such, and is not an empty one.
 */
export function* exportLines(opened: Snapshots, info: SnapshotInfo): Generator<ExportPiece> {
  yield {
    text: `${JSON.stringify({ snapshot: { chainId: opened.chainId, ...snapshotJson(info) } })}\n`,
    isDamaged: false,
  };
  for (const name of opened.lists(info.id)) {
    const list = opened.list(info.id, name);
    // A recorder may remove it in the meantime.
    if (list === undefined) throw new UsageError(`snapshot ${info.id} was deleted while it was being read`);
    yield { text: listLines(name, list), isDamaged: list.kind === 'damaged' };
  }
}

function listLines({ list, scope }: StoredListName, stored: StoredList): string {
  const head = (members: object): string => `${JSON.stringify({ list, scope, ...members })}\n`;
  if (stored.kind === 'unread') return head({ unread: stored.problem });
  const prefix = `${JSON.stringify({ list, scope }).slice(0, -1)},"record":`;
  // Sorted, so that two exports can be compared line by line.
  const lines = stored.records
    .map(record => shapeNow(list, record))
    .toSorted()
    .map(record => `${prefix}${record}}\n`)
    .join('');
  const { length } = stored.records;
  return `${stored.kind === 'damaged' ? head({ records: length, expected: stored.expected }) : head({ records: length })}${lines}`;
}

/** Records of most lists keep their stored form; printing keeps every digit of the others. */
function shapeNow(list: string, record: string): string {
  const rules = findListRules(list);
  const row = rules?.resource?.flat === undefined ? undefined : parseStoredRow(rules, record);
  return row === undefined ? record : printJson(row);
}
