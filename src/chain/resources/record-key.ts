import type { FilterValues } from './filter.ts';
import type { Column } from './resource.ts';

/** A record of a list, by its key as commands take it. */
export interface KeyedRecord {
  readonly key: string;
  /** Of the list that has it, in addition to the usual ones. */
  readonly filters?: FilterValues;
  /** Unix ms; rows that came before are not shown for it. */
  readonly asOfMs?: number;
}

/** Whether records can also be found by this column: the code of a market, the name and address of a validator. */
export const isNameColumn = ({ kind, entity }: Column): boolean =>
  kind === 'address' || (kind === 'name' && entity === undefined);
