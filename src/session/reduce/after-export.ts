import type { ExportResult } from '../../export/download/result.ts';
import { TABLES } from '../../export/plan/tables.ts';
import { convertCommand, exportCommand, loginHint, verifyCommand } from '../model/equivalent.ts';
import { placeOf, savedPlace } from '../model/job.ts';
import type { SessionState } from '../model/state.ts';
import type { Wizard } from '../model/wizard.ts';
import { noAnswers, noTableToView } from './ask-export.ts';
import { copyItem } from './copy-item.ts';
import { folderOf } from './fill-export.ts';
import type { MenuItem } from './menu-item.ts';
import { noRows } from './off-reasons.ts';

/** What a finished export can be used for; what is not there for this one is left out. */
export function afterExportItems(state: SessionState): readonly MenuItem[] {
  const { job, node, wizard } = state;
  if (job?.status !== 'ended') return [];
  const { plan, result } = job;
  const item = (label: string, detail: string, action: MenuItem['action']): MenuItem => ({
    mark: '',
    label,
    detail,
    action,
  });
  const place = placeOf(result)?.path ?? null;
  const saved = savedPlace(result);
  const again = exportCommand(node, plan);
  const next = TABLES[tableAfter(wizard)];
  const isNamed = wizard.tablesAfter.length > 0;
  const onward =
    next === undefined
      ? []
      : [
          item(isNamed ? 'go on with the next table named' : 'the same range, next table', next.id, {
            type: 'next-table',
          }),
        ];
  return [
    ...(isNamed ? onward : []),
    ...(noTableToView(state) === undefined ? [item('look at it as a table', 'o', { type: 'view-export' })] : []),
    ...(noAnswers(state) === undefined ? [item('ask it', 'a', { type: 'open-menu', id: 'answers' })] : []),
    ...(noRows(state) === undefined ? [item('look at the first rows', 'v', { type: 'preview' })] : []),
    ...(place === null
      ? []
      : [
          item('verify it again', place, { type: 'verify-again' }),
          copying('path', place),
          copying('command that verifies it', verifyCommand(plan, place)),
        ]),
    ...(saved === null ? [] : [copying('command that makes Parquet of it', convertCommand(saved))]),
    copying(`equal command${loginHint(node, again)}`, again),
    ...(isNamed ? [] : onward),
    ...(isWhole(result) ? [] : [item('the same again', 'to its review', { type: 'export-again' })]),
    item('another export', '', { type: 'start-over' }),
  ];
}

/** In a menu of what can be done the text alone would not say that it is copied. */
function copying(what: string, text: string): MenuItem {
  const item = copyItem(what, text);
  return { ...item, label: `copy the ${item.label}` };
}

const isWhole = ({ kind }: ExportResult): boolean => kind === 'saved' || kind === 'saved-slices';

/** Those that were named, in their order; behind them the next one of all. */
const tableAfter = ({ table, tablesAfter }: Wizard): number => tablesAfter[0] ?? table + 1;

/** The same range of the table that comes next, up to its review. */
export const nextTable = ({ wizard, ...state }: SessionState): SessionState =>
  toReview({
    ...state,
    wizard: {
      ...wizard,
      table: Math.min(tableAfter(wizard), TABLES.length - 1),
      tablesAfter: wizard.tablesAfter.slice(1),
      destination: folderOf(wizard.destination),
    },
  });

/** What the wizard has, up to its review: the place of it is looked at first. */
export function toReview(state: SessionState): SessionState {
  const { wizard, ticket } = state;
  const checking = ticket + 1;
  return {
    ...state,
    ticket: checking,
    wizard: {
      ...wizard,
      step: 'destination',
      check: null,
      mayOverwrite: false,
      checking,
      problem: null,
    },
  };
}

/** Wishes for the check of what was exported to be made once more, from the disk. */
export const wishVerdict = (state: SessionState): SessionState => ({
  ...state,
  ticket: state.ticket + 1,
  wizard: { ...state.wizard, verifying: state.ticket + 1 },
  notice: { text: 'verifying what lies on the disk ...', tone: 'info' },
});
