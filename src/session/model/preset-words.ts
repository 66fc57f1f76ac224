import type { ExportPlan } from '../../export/plan/plan.ts';
import type { Wizard } from './wizard.ts';

/** The words of `blockglass export` that make this again, its range as it was named. */
export function presetWords({ rangeWords }: Wizard, plan: ExportPlan): readonly string[] {
  return [
    ...['--table', plan.table.id],
    ...rangeOf(rangeWords, plan),
    ...(plan.slices === undefined ? [] : ['--slice', String(plan.slices.segmentsPerSlice)]),
    ...(plan.keepsIncomplete ? ['--keep-incomplete'] : []),
    ...(plan.destination === '.' ? [] : ['--out', plan.destination]),
  ];
}

function rangeOf(words: string | null, plan: ExportPlan): readonly string[] {
  if (words === null) return ['--from', String(plan.fromBlock), '--to', String(plan.toBlock)];
  const last = /^last\s+(\d+)/i.exec(words)?.[1];
  return last === undefined ? ['--range', words] : ['--last', last];
}
