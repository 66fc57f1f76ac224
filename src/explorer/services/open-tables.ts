import type { ViewerTables } from '../../answers/index.ts';
import type { FilesRequest, OpeningProgress, TableOffer } from '../../session/model/table-requests.ts';

export type OpensFiles = (
  files: FilesRequest,
  onProgress: (progress: OpeningProgress) => void,
  signal: AbortSignal,
) => Promise<ViewerTables>;

/** The files that are open, by the id of the request that opened them. */
export class OpenTables {
  readonly #open: OpensFiles;
  readonly #tables = new Map<number, ViewerTables>();

  constructor(open: OpensFiles = openFiles) {
    this.#open = open;
  }

  /** Opens files, reports when they are open, and keeps them open until it is aborted. */
  async hold(
    request: FilesRequest & { readonly id: number },
    report: {
      readonly progressed: (progress: OpeningProgress) => void;
      readonly opened: (tables: ViewerTables) => void;
    },
    signal: AbortSignal,
  ): Promise<void> {
    const tables = await this.#open(request, report.progressed, signal);
    try {
      signal.throwIfAborted();
      this.#tables.set(request.id, tables);
      report.opened(tables);
      await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
    } finally {
      this.#tables.delete(request.id);
      await tables.close();
    }
  }

  /** Throws if they are closed already. */
  of(id: number): ViewerTables {
    const tables = this.#tables.get(id);
    if (tables === undefined) throw new Error('the table is closed');
    return tables;
  }
}

// The engine is loaded with the first files.
const openFiles: OpensFiles = async ({ paths, isEvenIncomplete, question }, onProgress, signal) => {
  const { openViewerTables } = await import('../../answers/index.ts');
  const request = question && {
    name: question.name,
    values: {
      ...(question.party !== '' && { parties: [question.party] }),
      ...(question.isSplit === true && { types: true }),
      ...rangeOf(question.range ?? ''),
    },
  };
  return await openViewerTables({
    ...{ paths, evenIncomplete: isEvenIncomplete, question: request },
    ...{ onProgress, signal },
  });
};

/** `e20..e25`, one place for both ends, or `all`. */
function rangeOf(range: string): { readonly from?: string; readonly to?: string; readonly isWhole?: boolean } {
  if (range === '') return {};
  if (range === 'all') return { isWhole: true };
  const [from = '', to = from] = range.split('..');
  return { from, to };
}

/** What can be done with an export of a table; loads nothing of the engine. */
export async function offerFor(table: string): Promise<TableOffer> {
  const { isEngineThere, questionsFor } = await import('../../answers/index.ts');
  const questions = questionsFor([table]).map(({ name, title, needsParty }) => ({ name, title, needsParty }));
  return { hasEngine: isEngineThere(), questions };
}
