import { presetNameProblem } from '../../../base/settings/presets.ts';
import { didYouMean } from '../../../base/text/nearest-word.ts';
import { RANGE_WORDS } from '../../../chain/range/parse-range.ts';
import type { ExportPlan } from '../../../history/plan/export-plan.ts';
import { EXPORT_TABLES, findExportTable } from '../../../history/plan/export-tables.ts';
import { EXPORT_FLAGS, parseTypedExport } from '../../../history/plan/typed-export.ts';
import type { Message, OpeningVerb, ScreenVerb, SharedState } from '../../core/screen.ts';
import { open } from '../../openings.ts';
import { ALREADY_RUNNING, type FilledExport } from '../../services/export-job.ts';
import { NO_PROFILE } from './menus.ts';
import type { ExportEvent, Wizard } from './state.ts';
import { noFieldNotice, presetChoice } from './steps.ts';

/** Opens it over the tab that it belongs to. */
const openExport = (filled: FilledExport | null): readonly Message[] => [
  { type: 'go-to-resource', resource: 'history' },
  open('export', { filled }),
];

const openFilled = ({ job }: SharedState, filled: FilledExport): readonly Message[] => [
  ...openExport(filled),
  ...(job?.status === 'running' ? [{ type: 'noticed', text: ALREADY_RUNNING } as const] : noFieldNotice(filled.choice)),
];

/** An export by its words, up to the review: nothing is exported without its Enter. */
const EXPORT_VERB: OpeningVerb = {
  help: ['export [TABLE RANGE]', 'a file of a range: ledger e20..e25; a preset; last-month'],
  read: (shared, words) => {
    if (words.length === 0) return { messages: openExport(null) };
    const choice = parseTypedExport(words.join(' '), shared.node.presets ?? {});
    if ('problem' in choice) return choice;
    return { messages: openFilled(shared, { choice, advanceTo: 'review' }) };
  },
  complete,
};

function complete({ node, job }: SharedState, words: readonly string[]): readonly string[] {
  const tables = tablesFirst(job?.request.table.id ?? 'ledger');
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (typed.startsWith('--')) return EXPORT_FLAGS.filter(flag => !before.includes(flag));
  const presets = Object.keys(node.presets ?? {});
  switch (before.at(-1)) {
    case '--table':
      return tables;
    case '--preset':
      return presets;
    case '--range':
      return RANGE_WORDS;
    case '--last':
    case '--from':
    case '--to':
    case '--out':
    case '--slice':
      return [];
  }
  const listed = /^.*,/.exec(typed)?.[0];
  if (listed !== undefined) return moreTables(listed);
  const isOf = (word: string): boolean => presets.includes(word) || word.split(',').some(part => isTable(part));
  if (!before.some(isOf)) return [...presets, ...tables, ...(before.length === 0 ? RANGE_WORDS : [])];
  return before.length === 1 ? [...RANGE_WORDS, `${before.join(' ')} last 3`] : [];
}

const isTable = (word: string): boolean => findExportTable(word) !== undefined;

/** The one that was exported last first. */
const tablesFirst = (first: string): readonly string[] => [
  first,
  ...EXPORT_TABLES.map(({ id }) => id).filter(id => id !== first),
];

const moreTables = (listed: string): readonly string[] =>
  EXPORT_TABLES.map(({ id }) => id)
    .filter(id => !listed.split(',').includes(id))
    .map(id => `${listed}${id}`);

const PRESET_HELP = [
  'preset [save] NAME',
  'fill the export with a preset, or save the current choices as one',
] as const;

const completePreset = ({ node }: SharedState, words: readonly string[]): readonly string[] => {
  const names = Object.keys(node.presets ?? {});
  if (words.length === 1) return ['save', ...names];
  return words[0] === 'save' ? names : [];
};

const PRESET_VERB: OpeningVerb = {
  help: PRESET_HELP,
  needs: 'presets',
  complete: completePreset,
  read: (shared, [first = '', ...rest]) => {
    const { presets } = shared.node;
    if (presets === null) return { problem: NO_PROFILE };
    if (first === 'save') return { problem: 'a preset saves the choices of the wizard: open it with :export' };
    const choice = rest.length === 0 ? presetChoice(presets, first) : undefined;
    if (choice !== undefined) return { messages: openFilled(shared, { choice, advanceTo: 'range' }) };
    const names = Object.keys(presets);
    const there = names.length === 0 ? 'there are none yet: preset save NAME' : `there are ${names.join(', ')}`;
    return { problem: `no preset "${[first, ...rest].join(' ')}": ${there}${didYouMean(first, names)}` };
  },
};

/** Saves the choices of the open wizard as a preset. */
export const PRESET_VERB_HERE: ScreenVerb<Wizard, ExportEvent> = {
  help: PRESET_HELP,
  needs: 'presets',
  complete: (_, words, { shared }) => completePreset(shared, words),
  read: (_, words, { shared }) => {
    const [first = '', ...rest] = words;
    if (first !== 'save' || shared.node.presets === null) return PRESET_VERB.read(shared, words);
    const name = rest.join(' ');
    const problem = presetNameProblem(name);
    return problem === undefined ? { event: { type: 'save-preset', name } } : { problem };
  },
};

export const EXPORT_VERBS = { export: EXPORT_VERB, preset: PRESET_VERB } as const;

/** The arguments of `blockglass export` that repeat this export, with its range as typed. */
export function presetArguments({ rangeWords }: Wizard, plan: ExportPlan): readonly string[] {
  return [
    ...['--table', plan.table.id],
    ...rangeFlags(rangeWords, plan),
    ...(plan.slices === undefined ? [] : ['--slice', String(plan.slices.segmentsPerSlice)]),
    ...(plan.keepsIncomplete ? ['--keep-incomplete'] : []),
    ...(plan.destination === '.' ? [] : ['--out', plan.destination]),
  ];
}

function rangeFlags(words: string | null, plan: ExportPlan): readonly string[] {
  if (words === null) return ['--from', String(plan.fromBlock), '--to', String(plan.toBlock)];
  const last = /^last\s+(\d+)/i.exec(words)?.[1];
  return last === undefined ? ['--range', words] : ['--last', last];
}
