import type { Column } from '../../resources/resource.ts';
import { askIfMeant } from '../../text/nearest.ts';

/** Said of a column that a list has not; a prompt has one line for it. */
export function noSuchColumn(columns: readonly Column[], name: string): string {
  const ids = columns.map(({ id }) => id);
  return `no column "${name}": ${askIfMeant(name, ids) ?? `there are ${ids.join(', ')}`}`;
}
