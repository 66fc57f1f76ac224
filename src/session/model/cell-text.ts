import { shortText } from '../../insight/kind.ts';
import { qualified } from '../../resources/columns.ts';
import type { Column, Row } from '../../resources/resource.ts';
import type { SafeText } from '../../text/safe-text.ts';
import type { LoadedPage } from './state.ts';

/** A cell's text in its short form, with the words that the rest of the page puts before it. */
export const cellText = (column: Column, row: Row, { rows, receivedAtMs }: LoadedPage): SafeText =>
  qualified(column, { row, rows }, shortText(column.kind, column.value(row), receivedAtMs));
