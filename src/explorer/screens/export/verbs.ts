import { presetNameProblem } from '../../../base/settings/presets.ts';
import { didYouMean } from '../../../base/text/nearest-word.ts';
import { RANGE_WORDS } from '../../../chain/range/parse-range.ts';
import type { ExportPlan } from '../../../history/plan/export-plan.ts';
import { EXPORT_TABLES, findExportTable } from '../../../history/plan/export-tables.ts';
import { EXPORT_FLAGS, parseTypedExport } from '../../../history/plan/typed-export.ts';
import type { ScreenContext, ScreenVerb } from '../../core/screen.ts';
import { NO_PROFILE } from './menus.ts';
import { chosenTable, type ExportEvent, type Wizard } from './state.ts';

type ExportVerb = ScreenVerb<Wizard, ExportEvent>;

/** An export by its words, up to the review: nothing is exported without its Enter. */
const EXPORT_VERB: ExportVerb = {
  help: ['export TABLE RANGE', 'to its review: ledger e20..e25; a preset; last-month'],
  read: (_, words, { shared }) => {
    if (words.length === 0) return { messages: [{ type: 'go-to-resource', resource: 'export' }] };
    const named = parseTypedExport(words.join(' '), shared.node.presets ?? {});
    return 'problem' in named ? named : { event: { type: 'fill', choice: named } };
  },
  complete,
};

function complete(wizard: Wizard, words: readonly string[], { shared }: ScreenContext): readonly string[] {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (typed.startsWith('--')) return EXPORT_FLAGS.filter(flag => !before.includes(flag));
  const presets = Object.keys(shared.node.presets ?? {});
  switch (before.at(-1)) {
    case '--table':
      return tablesFirst(wizard);
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
  if (!before.some(isOf)) return [...presets, ...tablesFirst(wizard), ...(before.length === 0 ? RANGE_WORDS : [])];
  return before.length === 1 ? [...RANGE_WORDS, `${before.join(' ')} last 3`] : [];
}

const isTable = (word: string): boolean => findExportTable(word) !== undefined;

/** The one that is chosen now first. */
function tablesFirst(wizard: Wizard): readonly string[] {
  const chosen = chosenTable(wizard)?.id;
  const ids = EXPORT_TABLES.map(({ id }) => id);
  return chosen === undefined ? ids : [chosen, ...ids.filter(id => id !== chosen)];
}

const moreTables = (listed: string): readonly string[] =>
  EXPORT_TABLES.map(({ id }) => id)
    .filter(id => !listed.split(',').includes(id))
    .map(id => `${listed}${id}`);

const PRESET_VERB: ExportVerb = {
  help: ['preset [save] NAME', 'fill the export with a preset, or keep what is chosen as one'],
  complete: (_, words, { shared: { node } }) => {
    const names = Object.keys(node.presets ?? {});
    if (words.length === 1) return ['save', ...names];
    return words[0] === 'save' ? names : [];
  },
  read: (_, [first = '', ...rest], { shared: { node } }) => {
    if (node.presets === null) return { problem: NO_PROFILE };
    const names = Object.keys(node.presets);
    if (first === 'save') {
      const name = rest.join(' ');
      const problem = presetNameProblem(name);
      return problem === undefined ? { event: { type: 'save-preset', name } } : { problem };
    }
    if (names.includes(first) && rest.length === 0) return { event: { type: 'use-preset', name: first } };
    const there = names.length === 0 ? 'there are none yet: preset save NAME' : `there are ${names.join(', ')}`;
    return { problem: `no preset "${[first, ...rest].join(' ')}": ${there}${didYouMean(first, names)}` };
  },
};

export const EXPORT_VERBS = { export: EXPORT_VERB, preset: PRESET_VERB } as const;

/** The words of `blockglass export` that make this again, its range as it was named. */
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
