import type { Effect } from '../../core/runner.ts';
import type { SharedState } from '../../core/screen.ts';
import { errorMessage } from '../../services/failure.ts';
import type { EffectEvent } from './events.ts';
import { searchedText } from './row-format.ts';
import { isLoaded, type OpenTable, openTableOf, runningRequestId, type Viewer, waitedSeconds } from './state.ts';

type ViewerEffect = Effect<EffectEvent>;

export function viewerEffects(viewer: Viewer, shared: SharedState): readonly ViewerEffect[] {
  const { tab } = shared;
  if (viewer.files.status === 'failed') return [];
  const known = openTableOf(viewer);
  if (known === undefined) return [openFilesEffect(viewer)];
  return [
    openFilesEffect(viewer),
    ...(tab === 'history' ? [...loadRowsEffects(known), ...waitTimerEffects(known)] : []),
    ...requestEffects(known, shared),
  ];
}

/** Keeps the files open. */
const openFilesEffect = ({ opening, attempt, files }: Viewer): ViewerEffect => ({
  key: `files ${attempt}`,
  isBackground: files.status === 'open',
  // The files are closed, and their temporary files removed, before the program ends.
  mustFinish: true,
  run: async (world, signal, report) => {
    const tables = await world.openTables(opening, progress => report({ type: 'opening', progress }), signal);
    try {
      signal.throwIfAborted();
      report({ type: 'opened', tables });
      await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
    } finally {
      await tables.close();
    }
    return [];
  },
  failed: error => [{ type: 'not-opened', problem: errorMessage(error), hint: errorHint(error) }],
});

function loadRowsEffects({ tables, table, view }: OpenTable): readonly ViewerEffect[] {
  const { span, shown, problem } = view;
  if (problem !== null || isLoaded(view, span)) return [];
  return [
    {
      key: `rows ${shown.id} ${span.from} ${span.rows}`,
      run: async (_, signal) => {
        const rows = await tables.rows({ table: table.name, look: shown.look, ...span }, signal);
        return [{ type: 'rows', from: span.from, rows }];
      },
      failed: error => [
        { type: 'no-rows', problem: [errorMessage(error), errorHint(error)].filter(Boolean).join('; ') },
      ],
    },
  ];
}

/** A request that takes long shows for how long. */
function waitTimerEffects({ view }: OpenTable): readonly ViewerEffect[] {
  const id = runningRequestId(view);
  if (id === undefined) return [];
  return [
    {
      key: `wait ${id} ${waitedSeconds(view)}`,
      isBackground: true,
      run: async (world, signal) => {
        await world.wait(1000, signal);
        return [{ type: 'waited' }];
      },
      failed: () => [],
    },
  ];
}

const requestEffects = (known: OpenTable, shared: SharedState): readonly ViewerEffect[] => [
  ...arrangeEffects(known),
  ...findEffects(known, shared),
];

const failed: ViewerEffect['failed'] = error => [{ type: 'failed', problem: errorMessage(error) }];

function arrangeEffects({ tables, table, view: { arranging } }: OpenTable): readonly ViewerEffect[] {
  if (arranging === null) return [];
  const { id, look } = arranging;
  return [
    {
      key: `arrange ${id}`,
      run: async (_, signal) => [
        { type: 'arranged', count: await tables.arrange({ table: table.name, look }, signal) },
      ],
      failed,
    },
  ];
}

function findEffects(known: OpenTable, shared: SharedState): readonly ViewerEffect[] {
  const { tables, table, view } = known;
  const { finding, shown } = view;
  if (finding === null) return [];
  const text = searchedText(known, shared);
  const { id, from, direction } = finding;
  return [
    {
      key: `find ${id}`,
      run: async (_, signal, report) => {
        const onProgress = (done: number): void => report({ type: 'finding', done });
        const request = { table: table.name, look: shown.look, text, from, direction };
        return [{ type: 'found', at: await tables.find(request, onProgress, signal) }];
      },
      failed,
    },
  ];
}

// Errors of the answers have a hint; their class is loaded with them.
const errorHint = (error: unknown): string =>
  error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? error.hint : '';
