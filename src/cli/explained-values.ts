import { createAsk } from '../chain/explain/ask.ts';
import type { ExplainContext } from '../chain/explain/explanation.ts';
import { type ExplainedValues, loadExplainedValues } from '../chain/explain/list-csv.ts';
import type { FilterValues } from '../chain/resources/filter.ts';
import type { Resource } from '../chain/resources/resource.ts';
import type { Connection, Context } from './context.ts';
import { loadNames } from './load-names.ts';

interface ExplainedList {
  readonly resource: Resource;
  readonly filters: FilterValues;
  readonly signers: Pick<ExplainContext, 'signers'>;
}

/** Explanations for CSV. Needs the names of the chain, and some more requests. */
export const fetchExplainedValues = (
  { resource, filters, signers }: ExplainedList,
  connection: Connection,
  context: Context,
): Promise<ExplainedValues | undefined> =>
  loadExplainedValues({ resource: resource.id, filters }, async () => ({
    ...signers,
    directory: await loadNames(connection, context),
    nowMs: connection.clock.nowMs(),
    hasEnded: connection.clock.hasEnded(),
    ask: createAsk(connection.client, context.nowMs)(context.signal),
  }));
