import { printJson } from '../api/json.ts';
import { type Directory, NO_NAMES } from '../directory/directory.ts';
import { withUnits } from '../resources/csv-units.ts';
import type { FilterValues } from '../resources/filter.ts';
import type { CsvForm, Row } from '../resources/resource.ts';
import type { RecordForms } from '../text/serialise.ts';
import { EXPLAINED_COLUMNS } from './csv-columns.ts';
import type { Knowledge } from './explanation.ts';
import { EXPLAINERS } from './registry.ts';

/** Extra CSV columns of a list, taken from the explanations of its records. */
export interface ExplainedValues {
  readonly ids: readonly string[];
  readonly valuesOf: (row: Row, rows: readonly Row[]) => Promise<readonly string[]>;
}

/** Undefined for lists without such columns; `know` is called only for the others. */
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

/** A row, and the rows that it is read beside. */
export interface ListedRow {
  readonly row: Row;
  readonly among: { readonly rows: readonly Row[] };
}

interface Beside {
  /** Asked for with the first row, for amounts in their units; null: all stays as it was sent. */
  readonly names: (() => Promise<Directory>) | null;
  readonly explained: ExplainedValues | undefined;
}

/** How rows of a list are serialised: values as they were sent, and what is explained beside them. */
export function listForms(sent: CsvForm, { names, explained }: Beside): RecordForms<ListedRow> {
  let form: CsvForm | undefined;
  return {
    head: () => [
      ...(names === null ? sent : withUnits(sent, NO_NAMES)).columns.map(({ id }) => id),
      ...(explained?.ids ?? []),
    ],
    cells: async ({ row, among }) => {
      form ??= names === null ? sent : withUnits(sent, await names());
      const { columns } = form;
      const beside = (await explained?.valuesOf(row, among.rows)) ?? [];
      return form.rowsOf(row).map(part => [...columns.map(column => column.value(part)), ...beside]);
    },
    json: ({ row }) => printJson(row),
  };
}
