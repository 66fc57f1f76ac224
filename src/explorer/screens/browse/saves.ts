import { countOf, countText } from '../../../chain/insight/count-of.ts';
import { rowContext } from '../../../chain/resources/cell-text.ts';
import { isFilterActive } from '../../../chain/resources/filter.ts';
import { resourceById } from '../../../chain/resources/registry.ts';
import { type FileName, fileNameParts, shortenForFileName } from '../../core/file-name.ts';
import type { ListContent } from '../../services/copying/content.ts';
import { ENDINGS, type Saveable } from '../../services/copying/saveable.ts';
import { chainEndedAtMs } from '../../services/node/health.ts';
import { availableRows, shownColumns } from './list/visible-rows.ts';
import type { ListContext } from './list-context.ts';
import type { BrowseState } from './state.ts';

/** Content of a list or its open record that can be saved; a sentence if there is nothing to save. */
export function saveableList(list: BrowseState, context: ListContext): Saveable | string {
  const { inspector, resource } = list;
  const content = listToCopy(list, context);
  if (inspector === null) return ofTable(content);
  if (content === undefined) return 'no record to save';
  const { row, around, meaning } = inspector;
  const { directory } = context.shared;
  const explanation = meaning.status === 'known' ? meaning.explanation : null;
  return {
    what: 'the record',
    endings: ['json', 'txt', 'ndjson', 'csv', 'tsv', 'md'],
    content: ending => {
      if (ending === 'json') return { kind: 'json', value: row, isIndented: true };
      if (ending === 'txt') return { kind: 'record', record: { resource, row, around, directory, explanation } };
      return {
        kind: 'rows',
        form: ending,
        list: { ...content, rows: [row], amongOf: () => ({ ...around, isWhole: false }) },
      };
    },
  };
}

function ofTable(list: ListContent | undefined): Saveable | string {
  if (list === undefined || list.rows.length === 0) return 'no rows to save';
  return {
    what: countOf(list.rows.length, 'row'),
    endings: ENDINGS,
    content: ending => (ending === 'txt' ? { kind: 'screen' } : { kind: 'rows', form: ending, list }),
  };
}

/** The available rows, as found and sorted. */
export function listToCopy(list: BrowseState, { shared }: ListContext): ListContent | undefined {
  const resource = resourceById(list.resource);
  const { page } = list;
  if (resource === undefined || page === null) return undefined;
  const { rows } = availableRows(resource, list);
  return {
    resource: resource.id,
    rows,
    amongOf: row => rowContext(page, row),
    columns: shownColumns(resource, list),
    directory: shared.directory,
    nowMs: chainEndedAtMs(shared) ?? page.receivedAtMs,
  };
}

/** How many rows those are, and whether they are all: `50 loaded rows`. */
export function describeRowCount(list: BrowseState): string {
  const resource = resourceById(list.resource);
  if (resource === undefined) return '';
  const { rows, loaded, isWhole } = availableRows(resource, list);
  const found = rows.length === loaded ? '' : `${countText(rows.length)} found of `;
  return isWhole ? `${found}${countOf(loaded, 'row')}, the whole list` : `${found}${countOf(loaded, 'loaded row')}`;
}

/** What a file of the list, or of the record that is open, is called. */
export function listFileName(list: BrowseState): FileName {
  const atMs = list.page?.receivedAtMs;
  return { parts: fileNameWords(list), ...(atMs !== undefined && { atMs }) };
}

function fileNameWords({ resource: id, filters, inspector }: BrowseState): readonly string[] {
  const resource = resourceById(id);
  if (resource === undefined) return [id];
  if (inspector !== null) return [resource.singular, shortenForFileName(resource.keyOf(inspector.row))];
  const narrowing = resource.filters.filter(
    ({ name }) =>
      isFilterActive(filters, name) && filters[name]?.join(' ') !== resource.usualFilters?.[name]?.join(' '),
  );
  return [resource.id, ...narrowing.flatMap(({ name, title }) => fileNameParts(title, filters[name]?.[0] ?? ''))];
}
