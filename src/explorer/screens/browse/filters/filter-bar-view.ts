import { EMPTY, safeText, sanitize } from '../../../../base/text/safe-text.ts';
import { fitCells } from '../../../../base/text/width.ts';
import { nameOf } from '../../../../chain/directory/directory.ts';
import { unsetWord } from '../../../../chain/resources/filter.ts';
import { resourceById } from '../../../../chain/resources/registry.ts';
import type { Resource } from '../../../../chain/resources/resource.ts';
import { fieldRow } from '../../../core/field-row.ts';
import { BLANK, type Line, type ScreenRow, span, textLine, toScreenRows } from '../../../core/line.ts';
import { wrapLine } from '../../../core/wrapped-lines.ts';
import type { ListContext } from '../list-context.ts';
import type { BrowseState } from '../state.ts';
import { type FilterBar, fieldText, filterBarValues, suggestions } from './filter-bar.ts';
import { listedValues } from './offered-values.ts';

/** The filter bar: one field per row, its meaning, and the number of values known for it. */
export function drawFilterBar(browser: BrowseState, context: ListContext): readonly ScreenRow[] {
  const resource = resourceById(browser.resource);
  const { filterBar: bar } = browser;
  if (resource === undefined || bar === null) return [];
  const { columns } = context.area;
  const typed = filterBarValues(resource, bar);
  const others = typed.isValid ? typed.filters : browser.filters;
  const fields = resource.filters.map((filter, index): ScreenRow => {
    const isFocused = index === bar.field && !bar.isOffered;
    const unset = unsetWord(filter, others);
    const label = span(
      fitCells(sanitize(`${isFocused ? '>' : ' '} ${filter.title}`), 14),
      isFocused ? 'selected' : 'plain',
    );
    if (isFocused)
      return fieldRow({ ...fieldText(bar), isFocused: context.isOnTop }, columns, {
        before: [label],
        placeholder: sanitize(filter.kind === 'boolean' ? `${unset}: down chooses` : unset),
      });
    const text = sanitize(fieldText(bar, index).text);
    return { kind: 'line', line: [label, text === EMPTY ? span(sanitize(unset), 'quiet') : span(text)] };
  });
  return [
    ...fields,
    ...toScreenRows([
      ...wrapLine(fieldHint(browser, resource, bar, context), columns),
      ...(browser.demand === null ? [BLANK] : wrapLine(textLine(` ${browser.demand}`, 'pending'), columns)),
    ]),
  ];
}

function fieldHint(browser: BrowseState, resource: Resource, bar: FilterBar, { shared }: ListContext): Line {
  if (bar.problem !== null) return textLine(` ${bar.problem}`, 'bad');
  const filter = resource.filters[bar.field];
  const listed = listedValues(browser, shared);
  const { values: offered, isNarrowed } = listed ?? suggestions(shared, resource, bar);
  const place = listed?.place ?? bar.suggestion;
  const which = isNarrowed ? 'matching' : 'known';
  const choice =
    offered.length === 0
      ? ''
      : place < 0
        ? `; down offers ${offered.length} ${which}`
        : `; ${place + 1} of ${offered.length} ${which}`;
  const { text: typed } = fieldText(bar);
  const name = filter?.entity === undefined ? undefined : nameOf(shared.directory, filter.entity, typed);
  const hint = textLine(` ${filter?.meaning ?? ''}${choice}`, 'quiet');
  return name === undefined ? hint : [span(safeText` ${name}:`, 'accent'), ...hint];
}
