import type { Session } from '../../../src/explorer/app/session.ts';
import type { ViewerEvent } from '../../../src/explorer/screens/viewer/events.ts';
import { type OpenTable, openTableOf, type Viewer } from '../../../src/explorer/screens/viewer/state.ts';
import type { FilesRequest } from '../../../src/explorer/services/tables.ts';
import { type FakeTables, fakeTables } from './fake-tables.ts';
import { FakeWorld, type StartOptions, startSession, told } from './fake-world.ts';

export interface ViewerScene {
  readonly session: Session;
  readonly world: FakeWorld;
  readonly source: FakeTables;
}

export interface ViewerOptions {
  readonly table?: Parameters<typeof fakeTables>[0];
  readonly screen?: Pick<StartOptions, 'columns' | 'rows'>;
  readonly question?: FilesRequest['question'];
}

/** A table on the disk is open, with its first rows. */
export async function viewing({ table, screen, question = null }: ViewerOptions = {}): Promise<ViewerScene> {
  const source = fakeTables(table);
  const world = new FakeWorld();
  world.source = source;
  const { session } = await startSession({ ...screen, tab: 'history', world });
  openTable(session, '/out/ledger.zip', question);
  await told();
  await told();
  return { session, world, source };
}

export const openTable = (
  session: Session,
  path = '/out/ledger.zip',
  question: FilesRequest['question'] = null,
): void => session.dispatch({ type: 'open-files', files: { paths: [path], isEvenIncomplete: false, question } });

const layerOf = (session: Session) =>
  session.state().layers.findLast(({ screen }) => screen === 'viewer' || screen === 'answer');

/** The table or the answer over the export tab, the top one; null where there is none. */
export function viewerOf(session: Session): Viewer | null {
  const layer = layerOf(session);
  return layer === undefined ? null : (layer.state as Viewer);
}

/** Hands it an event, as if an effect had reported it. */
export function tellViewer(session: Session, event: ViewerEvent): void {
  const layer = layerOf(session)?.id ?? 0;
  session.dispatch({ type: 'layer-event', layer, event });
}

/** The table that is shown there. */
export function tableOf(session: Session): OpenTable {
  const viewer = viewerOf(session);
  const open = viewer === null ? undefined : openTableOf(viewer);
  if (open === undefined) throw new Error('no table is open');
  return open;
}
