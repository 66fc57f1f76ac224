import { EXPORT_TABLES } from '../../../history/plan/export-tables.ts';
import type { Choice } from '../../core/choice.ts';
import { type CopyItem, copyText, type Message, type ScreenContext } from '../../core/screen.ts';
import {
  convertCommandText,
  exportCommandText,
  loginHint,
  verifyCommandText,
} from '../../services/copying/equal-commands.ts';
import {
  exportLocation,
  noAnswers,
  noReport,
  noRows,
  noTableToView,
  savedExportLocation,
} from '../../services/export-job.ts';
import { type ExportEvent, type Wizard, wizardPlan } from './state.ts';
import { nextTableIndex } from './steps.ts';

const menuItem = (label: string, detail: string, action: Message): Choice => ({ mark: '', label, detail, action });

/** The possible uses of a finished export; unavailable ones are left out. */
export function afterExportItems(wizard: Wizard, { shared, to }: ScreenContext): readonly Choice[] {
  const { job, node } = shared;
  if (job?.status !== 'ended') return [];
  const { request, result } = job;
  const item = (label: string, detail: string, event: ExportEvent): Choice => menuItem(label, detail, to(event));
  const place = exportLocation(result)?.path ?? null;
  const saved = savedExportLocation(result);
  const again = exportCommandText(node, request);
  const next = EXPORT_TABLES[nextTableIndex(wizard)];
  const isNamed = wizard.tablesAfter.length > 0;
  const label = isNamed ? 'continue with the next table' : 'the same range, next table';
  const nextTable = next === undefined ? [] : [item(label, next.id, { type: 'next-table' })];
  return [
    ...(saved === null ? [item('the same again', 'to its review', { type: 'export-again' })] : []),
    ...(result.kind === 'failed' && result.partPath !== null && request.slices === undefined
      ? [item('the same in slices', 'each is kept if the connection is lost', { type: 'export-in-slices' })]
      : []),
    ...(isNamed ? nextTable : []),
    ...(noTableToView(shared) === undefined ? [item('open it as a table', 'o', { type: 'view-export' })] : []),
    ...(noAnswers(shared) === undefined ? [menuItem('ask it', 'a', { type: 'open-menu', id: 'answers' })] : []),
    ...(noRows(shared) === undefined ? [item('show the first rows', 'v', { type: 'preview' })] : []),
    ...(place === null
      ? []
      : [
          item('verify it again', place, { type: 'verify-again' }),
          ...(saved === null ? [] : [item('audit the exports in its folder', 'A', { type: 'audit' })]),
          ...(noReport(shared) === undefined ? [item('one page about a party', 'R', { type: 'ask-report' })] : []),
          copying('path', place),
          copying('command that verifies it', verifyCommandText(request, place)),
        ]),
    ...(saved === null ? [] : [copying('command that converts it to Parquet', convertCommandText(saved))]),
    copying(`equal command${loginHint(node, again)}`, again),
    ...(isNamed ? [] : nextTable),
    item('another export', '', { type: 'start-over' }),
  ];
}

/** In a menu of actions, the text by itself would not show that it is copied. */
const copying = (what: string, text: string): Choice =>
  menuItem(`copy the ${what}`, text, { type: 'copy', what, content: { kind: 'text', text } });

export const NO_PROFILE = 'presets are saved with a profile: blockglass node add NAME URL';

/** Why no presets can be listed now. */
export const noPresets = (_: Wizard, { shared: { node } }: ScreenContext): string | undefined =>
  node.presets === null ? NO_PROFILE : undefined;

/** The presets of the profile; the last line explains how to add one. */
export function presetItems(_: Wizard, { shared: { node }, to }: ScreenContext): readonly Choice[] {
  const saved = Object.entries(node.presets ?? {}).map(([name, words]) =>
    menuItem(name, words.join(' '), to({ type: 'use-preset', name } satisfies ExportEvent)),
  );
  const how = 'type :preset save NAME at the review, or after an export';
  return [
    ...saved,
    {
      mark: '+',
      label: 'save the current choices',
      detail: how,
      action: { type: 'noticed', text: how },
      disabledReason: how,
    },
  ];
}

/** Items to copy from the running or last export. */
export function exportCopies(wizard: Wizard, { shared: { job, node } }: ScreenContext): readonly CopyItem[] {
  if (job === null) {
    const plan = wizard.step === 'review' ? wizardPlan(wizard) : undefined;
    return plan === undefined ? [] : [copyText('equal command', exportCommandText(node, plan))];
  }
  const saved = job.status === 'ended' ? savedExportLocation(job.result) : null;
  const command = exportCommandText(node, job.request);
  return [
    ...(saved === null || saved.isFolder ? [] : [copyText('path of the file', saved.path)]),
    copyText(`equal command${loginHint(node, command)}`, command),
    ...(saved === null ? [] : [copyText('command that converts it to Parquet', convertCommandText(saved))]),
  ];
}
