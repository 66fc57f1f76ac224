import { Text } from 'ink';
import Table from 'ink-table';
import type { PropsWithChildren } from 'react';
import type { SafeText } from '../base/text/safe-text.ts';
import { textLine } from './core/line.ts';
import { paint } from './terminal/paint.ts';
import type { Theme } from './terminal/theme.ts';

interface SmallTableProps {
  readonly heading: readonly SafeText[];
  readonly rows: readonly (readonly SafeText[])[];
  readonly theme: Theme;
}

/** A fixed table of a handful of rows. */
export function SmallTable({ heading, rows, theme }: SmallTableProps) {
  const data = rows.map(cells =>
    Object.fromEntries(heading.map((title, index): [string, string] => [title, cells[index] ?? ''])),
  );
  const drawn =
    (style: 'plain' | 'strong' | 'quiet') =>
    ({ children }: PropsWithChildren) => <Text>{paint(textLine(String(children), style), theme)}</Text>;
  // The component reads its drawing functions only once, when it is created.
  return (
    <Table
      key={`${theme.name} ${theme.isAscii}`}
      data={data}
      header={drawn('strong')}
      cell={drawn('plain')}
      skeleton={drawn('quiet')}
    />
  );
}
