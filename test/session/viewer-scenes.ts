import type { ViewedFiles } from '../../src/session/model/viewer.ts';
import type { Session } from '../../src/session/session.ts';
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
  readonly question?: ViewedFiles['question'];
}

/** A table on the disk is open, with its first rows. */
export async function viewing({ table, screen, question = null }: ViewerOptions = {}): Promise<ViewerScene> {
  const source = fakeTables(table);
  const world = new FakeWorld();
  world.source = source;
  const { session } = await startSession({ ...screen, tab: 'export', world });
  openTable(session, '/out/ledger.zip', question);
  await told();
  await told();
  return { session, world, source };
}

export const openTable = (session: Session, path = '/out/ledger.zip', question: ViewedFiles['question'] = null): void =>
  session.dispatch({
    type: 'in-viewer',
    choice: { kind: 'open', files: { paths: [path], isEvenIncomplete: false, question } },
  });
