import { dirname } from 'node:path';
import type { Boundaries } from '../../../chain/range/segment-boundaries.ts';
import type { Effect } from '../../core/runner.ts';
import type { SharedState } from '../../core/screen.ts';
import { nodeFlags } from '../../services/copying/equal-commands.ts';
import { exportLocation, savedExportLocation } from '../../services/export-job.ts';
import { errorMessage, toScreenFailure } from '../../services/failure.ts';
import type { NodeConnection } from '../../services/node/connection.ts';
import type { World } from '../../services/world.ts';
import { type ExportEvent, type SavedPreset, typedNamedRange, type Wizard, wizardPlan } from './state.ts';

type ExportEffect = Effect<ExportEvent>;

/** What runs for the export tab now; the download itself is a service. */
export function exportEffects(wizard: Wizard, { job, node, offers }: SharedState): readonly ExportEffect[] {
  if (node.status !== 'ready') return [];
  const { asking, surveying, witnessing, boundaries, checking, saving, previewing, verifying, auditing, reporting } =
    wizard;
  const plan = wizardPlan(wizard);
  const ended = job?.status === 'ended' ? job : null;
  const place = ended === null ? null : exportLocation(ended.result);
  const isOffering = wizard.step === 'result' && ended !== null && savedExportLocation(ended.result) !== null;
  return [
    ...(asking === null ? [] : [segments(asking)]),
    ...locate(wizard),
    ...(saving === null ? [] : [save(saving)]),
    ...(verifying === null || ended === null || place === null
      ? []
      : [
          text(`verify ${verifying}`, 'verified', (world, signal) =>
            world.verify({ ...place, plan: ended.request }, signal),
          ),
        ]),
    ...(auditing === null || place === null
      ? []
      : [
          text(`audit ${auditing}`, 'audited', (world, signal) =>
            world.audit({ folder: dirname(place.path), nodeFlags: nodeFlags(node) }, signal),
          ),
        ]),
    ...(reporting === null || place === null
      ? []
      : [
          text(`report ${reporting.request}`, 'reported', (world, signal) =>
            world.report({ folder: dirname(place.path), party: reporting.party, range: 'all' }, signal),
          ),
        ]),
    ...(surveying === null || plan === undefined ? [] : [survey(surveying, plan)]),
    ...(witnessing === null || plan === undefined || boundaries === null
      ? []
      : [witness(witnessing, plan, boundaries)]),
    ...(previewing === null || ended === null
      ? []
      : [text(`preview ${previewing}`, 'previewed', world => world.preview(ended.result))]),
    ...(checking === null || plan === undefined ? [] : [check(checking, plan)]),
    ...(isOffering && offers?.job !== ended.id ? [offer(ended.id, ended.request.table.id)] : []),
  ];
}

const segments = (request: number): ExportEffect => ({
  key: `segments ${request}`,
  run: async (world, signal) => [{ type: 'boundaries-known', ...(await world.node().boundaries(signal)) }],
  failed: error => [{ type: 'boundaries-failed', failure: toScreenFailure(error) }],
});

function locate(wizard: Wizard): readonly ExportEffect[] {
  const { locating: request, boundaries, field } = wizard;
  if (request === null) return [];
  const failed = (error: unknown) => [{ type: 'not-located', problem: errorMessage(error) }] as const;
  const range = typedNamedRange(wizard);
  if (range === undefined) {
    const run: ExportEffect['run'] = async (world, signal) => [
      { type: 'located', located: await world.node().locate(wizard[field], field, signal) },
    ];
    return [{ key: `locate ${request}`, run, failed }];
  }
  if (boundaries === null) return [];
  const run: ExportEffect['run'] = async (world, signal) => [
    { type: 'range-found', found: await world.node().range(range, boundaries, signal) },
  ];
  return [{ key: `range ${request}`, run, failed }];
}

type Plan = Parameters<NodeConnection['survey']>[0];

const survey = (request: number, plan: Plan): ExportEffect => ({
  key: `survey ${request}`,
  run: async (world, signal) => [{ type: 'surveyed', survey: await world.node().survey(plan, signal) }],
  failed: error => [{ type: 'surveyed', survey: { kind: 'unknown', reason: errorMessage(error) } }],
});

const witness = (request: number, { fromBlock: from, toBlock: to }: Plan, boundaries: Boundaries): ExportEffect => ({
  key: `witness ${request}`,
  run: async (world, signal) => [
    { type: 'witnessed', witnesses: await world.witnesses({ boundaries, range: { from, to } }, signal) },
  ],
  failed: () => [{ type: 'witnessed', witnesses: [] }],
});

const check = (request: number, plan: Plan): ExportEffect => ({
  key: `destination ${request}`,
  run: async world => [{ type: 'destination-checked', check: await world.checkDestination(plan) }],
  failed: error => [
    { type: 'destination-checked', check: { path: '', exists: false, problem: errorMessage(error), freeBytes: null } },
  ],
});

const save = ({ request, profile, name, words }: SavedPreset): ExportEffect => ({
  key: `preset ${request}`,
  run: async world => {
    await world.keepPreset(profile, name, words);
    return [{ type: 'preset-saved', problem: null }];
  },
  failed: error => [{ type: 'preset-saved', problem: errorMessage(error) }],
  mustFinish: true,
});

/** A text to be read, or why there is none. */
const text = (
  key: string,
  type: 'verified' | 'audited' | 'reported' | 'previewed',
  run: (world: World, signal: AbortSignal) => Promise<string>,
): ExportEffect => ({
  key,
  run: async (world, signal) => [{ type, text: await run(world, signal) }],
  failed: error => [{ type, text: errorMessage(error) }],
});

/** The actions available for the exported rows. */
const offer = (job: number, table: string): ExportEffect => ({
  key: `offer ${job}`,
  run: async world => [{ type: 'offered', offers: { job, ...(await world.offerFor(table)) } }],
  failed: () => [{ type: 'offered', offers: { job, hasEngine: false, questions: [] } }],
});
