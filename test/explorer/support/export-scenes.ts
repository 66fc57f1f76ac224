import { type Boundaries, listedBoundaries } from '../../../src/chain/range/segment-boundaries.ts';
import type { Segment } from '../../../src/chain/range/segment-history.ts';
import type { Session } from '../../../src/explorer/app/session.ts';
import type { Action } from '../../../src/explorer/core/action.ts';
import type { Layer } from '../../../src/explorer/core/layer.ts';
import type { SessionState } from '../../../src/explorer/core/state.ts';
import { open } from '../../../src/explorer/openings.ts';
import type { ExportEvent, Wizard } from '../../../src/explorer/screens/export/state.ts';
import type { ExportResult } from '../../../src/history/download/export-result.ts';
import type { TypedExport } from '../../../src/history/plan/typed-export.ts';
import { FakeWorld, last, press, type StartOptions, startSession, told } from './fake-world.ts';
import { type } from './list-scenes.ts';

export const segment = (from: number, to: number, databaseVersion = '93'): Segment => ({
  fromHeight: BigInt(from),
  toHeight: BigInt(to),
  historySegmentId: `Qm${to}`,
  previousHistorySegmentId: from === 1 ? '' : `Qm${from - 1}`,
  databaseVersion,
  chainId: 'fake-chain-1',
});

// 501-700 and 701-1500 in one run, a gap, then 2001-2100.
export const LISTED = listedBoundaries([segment(501, 700), segment(701, 1500, '94'), segment(2001, 2100, '94')]);

/** A session with the wizard open over the History tab, as `w` opens it. */
export async function startExport(options: StartOptions = {}) {
  const { session, world } = await startSession({ ...options, tab: 'history' });
  // The tab itself asks for the segments first.
  for (const { answer } of world.segments.splice(0)) answer({ boundaries: { kind: 'rule' }, hint: null });
  await told();
  press(session, 'w');
  return { session, world };
}

export async function atRange(
  boundaries: Boundaries = LISTED,
  hint: string | null = null,
  fake: FakeWorld = new FakeWorld(),
) {
  const { session, world } = await startExport({ world: fake });
  last(world.segments).answer({ boundaries, hint });
  await told();
  press(session, 'enter');
  return { session, world };
}

export const wizardIn = (state: SessionState): Wizard => exportLayer(state).state as Wizard;

/** The layer of the wizard; a test without it is wrong. */
export function exportLayer({ layers }: Pick<SessionState, 'layers'>): Layer {
  const layer = layers.find(({ screen }) => screen === 'export');
  if (layer === undefined) throw new Error('the wizard is not open');
  return layer;
}

export const wizardOf = (session: Session): Wizard => wizardIn(session.state());

/** The session with other fields of the export tab. */
export const withWizard = (state: SessionState, change: Partial<Wizard>): SessionState => ({
  ...state,
  layers: state.layers.map(layer =>
    layer.screen === 'export' ? { ...layer, state: { ...wizardIn(state), ...change } } : layer,
  ),
});

/** The wizard filled up to its review, as `:export` does it. */
export const fillWizard = (session: Session, choice: TypedExport): void =>
  session.dispatch(open('export', { filled: { choice, advanceTo: 'review' } }));

/** What menus and the command line have the export tab do. */
export const exportEvent = (session: Session, event: ExportEvent): Action => ({
  type: 'layer-event',
  layer: exportLayer(session.state()).id,
  event,
});

export function typeRange(session: Session, from: string, to: string): void {
  if (wizardOf(session).field === 'to') press(session, 'tab');
  type(session, from);
  press(session, 'tab');
  type(session, to);
}

export async function check(
  world: FakeWorld,
  answer: { readonly exists?: boolean; readonly problem?: string | null } = {},
) {
  const { asked } = last(world.checks);
  const path = `/out/${asked.table.id}-${asked.fromBlock}-${asked.toBlock}.zip`;
  last(world.checks).answer({ path, exists: false, problem: null, freeBytes: 1e9, ...answer });
  await told();
}

export async function atReview(fake: FakeWorld = new FakeWorld()) {
  const { session, world } = await atRange(LISTED, null, fake);
  typeRange(session, '501', '1500');
  press(session, 'enter', 'enter');
  await check(world);
  return { session, world };
}

/** An export has been started and nothing is known of it yet. */
export async function exporting(fake: FakeWorld = new FakeWorld()) {
  const { session, world } = await atReview(fake);
  press(session, 'enter');
  return { session, world };
}

const verdict = { kind: 'complete', reason: '', entries: [], findings: [], notes: [], bytes: 1, sha256: '' } as const;
export const SAVED: ExportResult = { kind: 'saved', path: '/out/x.zip', verdict, elapsedMs: 1 };

/** Ends the export that runs. */
export async function end(world: FakeWorld, ended: ExportResult = SAVED): Promise<void> {
  last(world.exports).answer(ended);
  await told();
}
