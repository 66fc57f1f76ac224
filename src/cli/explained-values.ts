import { createAsk } from '../explain/ask.ts';
import { EXPLAINED_COLUMNS } from '../explain/csv-columns.ts';
import type { Knowledge } from '../explain/explanation.ts';
import { EXPLAINERS } from '../explain/registry.ts';
import type { FilterValues } from '../resources/filter.ts';
import type { Resource, Row } from '../resources/resource.ts';
import type { Connection, Context } from './context.ts';
import { namesFor } from './names.ts';

/** What CSV has beside the columns of a list: what its records mean. */
export interface ExplainedValues {
  readonly ids: readonly string[];
  readonly valuesOf: (row: Row, rows: readonly Row[]) => Promise<readonly string[]>;
}

interface Listed {
  readonly resource: Resource;
  readonly filters: FilterValues;
  readonly signers: Pick<Knowledge, 'signers'>;
}

/** Of no list but those that have such columns; they take the names of the chain, and some requests more. */
export async function explainedValues(
  { resource, filters, signers }: Listed,
  connection: Connection,
  context: Context,
): Promise<ExplainedValues | undefined> {
  const columns = Object.hasOwn(EXPLAINED_COLUMNS, resource.id) ? EXPLAINED_COLUMNS[resource.id] : undefined;
  const explainer = await EXPLAINERS[resource.id]?.();
  if (columns === undefined || explainer === undefined) return undefined;
  const knowledge: Omit<Knowledge, 'around'> = {
    ...signers,
    directory: await namesFor(connection, context),
    nowMs: Date.now(),
    ask: createAsk(connection.client, Date.now)(context.signal),
  };
  return {
    ids: columns.map(({ id }) => id),
    valuesOf: async (row, rows) => {
      const { json } = await explainer(row, { ...knowledge, around: { filters, rows } });
      return columns.map(({ value }) => value(json));
    },
  };
}
