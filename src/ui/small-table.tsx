import Table from 'ink-table';
import type { SafeText } from '../text/safe-text.ts';

interface SmallTableProps {
  readonly heading: readonly SafeText[];
  readonly rows: readonly (readonly SafeText[])[];
}

/**
 * A fixed table of a handful of rows. ink-table is CommonJS and requires Ink, which has a top-level await: only the
 * bundler can bring the two together (build/ink-table.ts), so nothing else imports it.
 */
export function SmallTable({ heading, rows }: SmallTableProps) {
  const data = rows.map(cells =>
    Object.fromEntries(heading.map((title, index): [string, string] => [title, cells[index] ?? ''])),
  );
  return <Table data={data} />;
}
