import { createAsk } from '../chain/explain/ask.ts';
import type { Knowledge } from '../chain/explain/explanation.ts';
import { type ExplainedValues, explainedValuesOf } from '../chain/explain/list-csv.ts';
import type { FilterValues } from '../chain/resources/filter.ts';
import type { Resource } from '../chain/resources/resource.ts';
import type { Connection, Context } from './context.ts';
import { namesFor } from './names.ts';

interface Listed {
  readonly resource: Resource;
  readonly filters: FilterValues;
  readonly signers: Pick<Knowledge, 'signers'>;
}

/** Explanations for CSV. Needs the names of the chain, and some more requests. */
export const explainedValues = (
  { resource, filters, signers }: Listed,
  connection: Connection,
  context: Context,
): Promise<ExplainedValues | undefined> =>
  explainedValuesOf({ resource: resource.id, filters }, async () => ({
    ...signers,
    directory: await namesFor(connection, context),
    nowMs: connection.clock.nowMs(),
    hasEnded: connection.clock.hasEnded(),
    ask: createAsk(connection.client, context.nowMs)(context.signal),
  }));
