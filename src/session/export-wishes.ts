import type { ExportResult } from '../export/download/result.ts';
import type { ExportPlan } from '../export/plan/plan.ts';
import type { Boundaries } from '../export/range/boundaries.ts';
import type { NamedRange } from '../export/range/named-range.ts';
import { placeOf } from './model/job.ts';
import type { SessionState } from './model/state.ts';
import { namedRangeOf, planOf, type SavedPreset, type Wizard } from './model/wizard.ts';

/** Something that the export tab wants done. */
export type ExportWish = { readonly key: string } & (
  | { readonly kind: 'boundaries'; readonly ticket: number }
  | { readonly kind: 'locate'; readonly ticket: number; readonly text: string; readonly bound: 'from' | 'to' }
  | { readonly kind: 'range'; readonly ticket: number; readonly range: NamedRange; readonly boundaries: Boundaries }
  | { readonly kind: 'keep-preset'; readonly preset: SavedPreset }
  | {
      readonly kind: 'verify';
      readonly ticket: number;
      readonly path: string;
      readonly isFolder: boolean;
      readonly plan: ExportPlan;
    }
  | { readonly kind: 'survey'; readonly ticket: number; readonly plan: ExportPlan }
  | { readonly kind: 'preview'; readonly ticket: number; readonly result: ExportResult }
  | { readonly kind: 'destination'; readonly ticket: number; readonly plan: ExportPlan }
  | { readonly kind: 'export'; readonly ticket: number; readonly plan: ExportPlan }
  /** What can be done with the export. */
  | { readonly kind: 'offer'; readonly ticket: number; readonly table: string }
);

const KINDS = {
  boundaries: true,
  locate: true,
  range: true,
  'keep-preset': true,
  verify: true,
  survey: true,
  preview: true,
  destination: true,
  export: true,
  offer: true,
} satisfies { readonly [kind in ExportWish['kind']]: true };

export const isExportWish = <Other extends { readonly kind: string }>(wish: ExportWish | Other): wish is ExportWish =>
  Object.hasOwn(KINDS, wish.kind);

/** What the export tab wants done now. */
export function exportWishes(state: SessionState): readonly ExportWish[] {
  const { wizard, job, previewing } = state;
  const plan = planOf(wizard);
  return [
    ...(wizard.asking === null
      ? []
      : [{ key: `boundaries ${wizard.asking}`, kind: 'boundaries', ticket: wizard.asking } as const]),
    ...locateWishes(wizard),
    ...(wizard.saving === null
      ? []
      : [{ key: `keep-preset ${wizard.saving.ticket}`, kind: 'keep-preset', preset: wizard.saving } as const]),
    ...verifyWishes(wizard, job),
    ...(wizard.surveying === null || plan === undefined
      ? []
      : [{ key: `survey ${wizard.surveying}`, kind: 'survey', ticket: wizard.surveying, plan } as const]),
    ...(previewing === null || job?.status !== 'ended'
      ? []
      : [{ key: `preview ${previewing}`, kind: 'preview', ticket: previewing, result: job.result } as const]),
    ...(wizard.checking === null || plan === undefined
      ? []
      : [
          {
            key: `destination ${wizard.checking}`,
            kind: 'destination',
            ticket: wizard.checking,
            plan,
          } as const,
        ]),
    ...(job?.status !== 'running' || job.isCancelling
      ? []
      : [{ key: `export ${job.ticket}`, kind: 'export', ticket: job.ticket, plan: job.plan } as const]),
    ...offerWishes(state),
  ];
}

// Once the result is on the screen.
function offerWishes({ tab, job, offers, wizard }: SessionState): readonly ExportWish[] {
  if (tab !== 'export' || wizard.step !== 'result' || job?.status !== 'ended' || offers?.job === job.ticket) return [];
  if (job.result.kind !== 'saved' && job.result.kind !== 'saved-slices') return [];
  const { ticket, plan } = job;
  return [{ key: `offer ${ticket}`, kind: 'offer', ticket, table: plan.table.id }];
}

function verifyWishes({ verifying: ticket }: Wizard, job: SessionState['job']): readonly ExportWish[] {
  const path = job?.status === 'ended' ? placeOf(job.result) : null;
  if (ticket === null || job === null || path === null) return [];
  return [{ key: `verify ${ticket}`, kind: 'verify', ticket, ...path, plan: job.plan }];
}

function locateWishes(wizard: Wizard): readonly ExportWish[] {
  const { locating: ticket, boundaries, field } = wizard;
  if (ticket === null) return [];
  const range = namedRangeOf(wizard);
  if (range === undefined)
    return [{ key: `locate ${ticket}`, kind: 'locate', ticket, text: wizard[field], bound: field }];
  return boundaries === null ? [] : [{ key: `range ${ticket}`, kind: 'range', ticket, range, boundaries }];
}
