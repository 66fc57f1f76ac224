import type { ViewerTables } from '../../answers/index.ts';
import type { FilesRequest, OpeningProgress, TableOffer } from './table-requests.ts';

export type OpensTables = (
  request: FilesRequest,
  onProgress: (progress: OpeningProgress) => void,
  signal: AbortSignal,
) => Promise<ViewerTables>;

/** Opens the tables of files, or an answer of theirs. The engine is loaded with the first. */
export const openTables: OpensTables = async ({ paths, isEvenIncomplete, question }, onProgress, signal) => {
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
