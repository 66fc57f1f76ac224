import type { FilterValues } from '../resources/filter.ts';
import type { CsvForm, Row } from '../resources/resource.ts';
import { EXPLAINED_COLUMNS } from './csv-columns.ts';
import type { Knowledge } from './explanation.ts';
import { EXPLAINERS } from './registry.ts';

/** What CSV has beside the columns of a list: what its records mean. */
export interface ExplainedValues {
  readonly ids: readonly string[];
  readonly valuesOf: (row: Row, rows: readonly Row[]) => Promise<readonly string[]>;
}

/** Of no list but those that have such columns: what they take to be known is asked for then alone. */
export async function explainedValuesOf(
  { resource, filters }: { readonly resource: string; readonly filters: FilterValues },
  know: () => Promise<Omit<Knowledge, 'around'>>,
): Promise<ExplainedValues | undefined> {
  const columns = Object.hasOwn(EXPLAINED_COLUMNS, resource) ? EXPLAINED_COLUMNS[resource] : undefined;
  const explainer = await EXPLAINERS[resource]?.();
  if (columns === undefined || explainer === undefined) return undefined;
  const knowledge = await know();
  return {
    ids: columns.map(({ id }) => id),
    valuesOf: async (row, rows) => {
      const { json } = await explainer(row, { ...knowledge, around: { filters, rows } });
      return columns.map(({ value }) => value(json));
    },
  };
}

/** The names of the columns. */
export const csvHead = ({ columns }: CsvForm, explained: ExplainedValues | undefined): readonly string[] => [
  ...columns.map(({ id }) => id),
  ...(explained?.ids ?? []),
];

/** The records of a row: values as they were sent, and what is explained beside them. */
export async function csvRecords(
  { form, explained }: { readonly form: CsvForm; readonly explained: ExplainedValues | undefined },
  row: Row,
  rows: readonly Row[],
): Promise<readonly (readonly string[])[]> {
  const beside = (await explained?.valuesOf(row, rows)) ?? [];
  return form.rowsOf(row).map(part => [...form.columns.map(column => column.value(part)), ...beside]);
}
