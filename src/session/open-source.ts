import type { ViewerTables } from '../answers/index.ts';
import type { OpenSource } from '../explorer/services/table-source.ts';
import type { Offered } from './model/offered.ts';
import type { Shape, ViewedColumn, ViewedTable } from './model/viewed-table.ts';

/** Files on the disk by the engine that answers questions to them, which is loaded now. */
export const openSource: OpenSource = async ({ paths, isEvenIncomplete, question }, onProgress, signal) => {
  const { openViewerTables } = await import('../answers/index.ts');
  const asked = question && {
    name: question.name,
    values: {
      ...(question.party !== '' && { parties: [question.party] }),
      ...(question.isSplit === true && { types: true }),
      ...rangeOf(question.range ?? ''),
    },
  };
  const opened = await openViewerTables({
    ...{ paths, evenIncomplete: isEvenIncomplete, question: asked },
    ...{ onProgress, signal },
  });
  // An answer is asked nothing itself.
  const questions = asked === null ? await questionsOf(opened.tables.map(({ name }) => name)) : [];
  return { ...opened, questions, tables: opened.tables.map(table => viewedTable(table, asked !== null)) };
};

/** `e20..e25`, one place for both ends, or `all`. */
function rangeOf(range: string): { readonly from?: string; readonly to?: string; readonly isWhole?: boolean } {
  if (range === '') return {};
  if (range === 'all') return { isWhole: true };
  const [from = '', to = from] = range.split('..');
  return { from, to };
}

/** What can be done with an export of this table; nothing of the engine is loaded. */
export async function offeredFor(table: string): Promise<Offered> {
  const { isEngineThere } = await import('../answers/index.ts');
  return { hasEngine: isEngineThere(), questions: await questionsOf([table]) };
}

async function questionsOf(tables: readonly string[]): Promise<Offered['questions']> {
  const { questionsFor } = await import('../answers/index.ts');
  return questionsFor(tables).map(({ name, title, needsParty }) => ({ name, title, needsParty }));
}

type KnownTable = ViewerTables['tables'][number];
type KnownColumn = KnownTable['columns'][number];

function viewedTable(table: KnownTable, isAnswer: boolean): ViewedTable {
  const { name, rows, fromBlock, toBlock, firstTime, lastTime, isComplete } = table;
  return {
    name,
    rows: Number(rows),
    columns: table.columns.map(column => ({ ...viewedColumn(column), isAnswer })),
    range: fromBlock === null || toBlock === null ? '' : `blocks ${fromBlock}-${toBlock}`,
    firstMs: msOf(firstTime),
    lastMs: msOf(lastTime),
    isComplete,
  };
}

const viewedColumn = (column: KnownColumn): ViewedColumn => ({
  name: column.name,
  type: column.type,
  shape: shapeOf(column),
  about: column.about,
  unit: column.unit,
  words: column.values ?? {},
});

function msOf(time: string | null): number | null {
  const ms = time === null ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? null : ms;
}

const IS_NUMBER = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT|U?INTEGER|DECIMAL\(|DOUBLE|FLOAT)/;

/** By what it means where that is known, else by what the engine holds it as. */
function shapeOf({ type, kind }: KnownColumn): Shape {
  switch (kind) {
    case 'account-id':
    case 'hash':
    case 'id':
      return 'id';
    case 'height':
      return 'ordinal';
    case 'enum':
      return 'word';
    case 'time':
      return 'time';
    case 'amount':
    case 'count':
    case 'decimal':
    case 'factor':
    case 'price':
    case 'size':
      return 'number';
    case 'boolean':
    case 'json':
    case 'text':
      return 'text';
    case null:
      if (type === 'BLOB') return 'id';
      if (/^(?:TIMESTAMP|DATE)/.test(type)) return 'time';
      return IS_NUMBER.test(type) ? 'number' : 'text';
  }
}
