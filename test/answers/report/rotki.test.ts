import { expect, test } from 'vitest';
import type { PartyMove } from '../../../src/answers/index.ts';
import { rotkiEvents } from '../../../src/answers/report/rotki.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { asset } from '../../chain/directory/directories.ts';

test('Spot trades in rotki events are income and spending, and a note counts them', () => {
  const id = 'a1'.repeat(32);
  const move = {
    ...{ time: '2026-10-01 12:00:00.000000', account: { asset: id, kind: 'GENERAL', market: '' } },
    ...{ received: '5', sent: null, part: 'income' as const, other: null },
  } satisfies Partial<PartyMove>;
  const notesOf = (type: string) =>
    rotkiEvents({
      moves: [
        { ...move, type },
        { ...move, type, received: null, sent: '7' },
      ],
      reasonOf: text => text ?? '',
      names: { ...NO_NAMES, assets: new Map([[id, asset({ symbol: 'A', decimals: 0 })]]) },
      identifiers: new Map([[id, 'A']]),
    }).notes;
  expect(notesOf('TRANSFER_TYPE_SPOT')).toEqual([
    "2 movements of spot trades are Income and Spend: rotki's events have no type for a trade, so bought assets count as income",
  ]);
  expect(notesOf('TRANSFER_TYPE_WIN')).toEqual([]);
});
