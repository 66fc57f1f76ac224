import type { RecordFormat } from '../../base/text/serialise.ts';
import { isJsonArray, type JsonObject, jsonText, member, printJson } from '../api/json.ts';
import { type Directory, NO_NAMES, type Unit } from '../directory/directory.ts';
import { toWholeUnits } from '../insight/decimal.ts';
import { cellUnit } from '../resources/amount-column.ts';
import type { FilterValues } from '../resources/filter.ts';
import type { Column, CsvForm, Row } from '../resources/resource.ts';
import type { ExplainContext } from './explanation.ts';
import { EXPLAINERS } from './registry.ts';

/** Extra CSV columns of a list, taken from the explanations of its records. */
export interface ExplainedValues {
  readonly ids: readonly string[];
  readonly valuesOf: (row: Row, rows: readonly Row[]) => Promise<readonly string[]>;
}

/** Undefined for lists without such columns; `know` is called only for the others. */
export async function loadExplainedValues(
  { resource, filters }: { readonly resource: string; readonly filters: FilterValues },
  know: () => Promise<Omit<ExplainContext, 'around'>>,
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

/** A row, and the rows it is shown with. */
export interface ListedRow {
  readonly row: Row;
  readonly among: { readonly rows: readonly Row[] };
}

interface FormOptions {
  /** Requested with the first row, to show amounts in their units; null: all stays as sent. */
  readonly names: (() => Promise<Directory>) | null;
  readonly explained: ExplainedValues | undefined;
}

/** How rows of a list are serialised: values as sent, then the explained ones. */
export function listForms(sent: CsvForm, { names, explained }: FormOptions): RecordFormat<ListedRow> {
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

/** A CSV column taken from the explanation of a record. */
interface ExplainedColumn {
  readonly id: string;
  /** Reads it from the explanation's JSON. */
  readonly value: (json: JsonObject) => string;
}

/** By the id of their list. */
export const EXPLAINED_COLUMNS: { readonly [resource: string]: readonly ExplainedColumn[] } = {
  bundles: [
    { id: 'form', value: ({ form }) => jsonText(form) },
    { id: 'known', value: ({ known }) => jsonText(known) },
    // In bundle order; ? for an unknown signer.
    {
      id: 'signers',
      value: json => joinSignatures(json, signature => jsonText(member(signature, 'signer')) || '?', ' '),
    },
    { id: 'problems', value: json => joinSignatures(json, signatureProblem, '; ') },
  ],
  // The value as a plain number, and its unit: seconds, percent, whole units of an asset.
  parameters: [
    { id: 'scaled', value: ({ value }) => jsonText(member(value, 'value')) },
    { id: 'unit', value: ({ value }) => jsonText(member(value, 'symbol')) },
    { id: 'words', value: ({ words }) => jsonText(words) },
  ],
};

const joinSignatures = (
  { signatures }: JsonObject,
  say: (signature: JsonObject[string], index: number) => string,
  separator: string,
): string =>
  (isJsonArray(signatures) ? signatures : [])
    .map(say)
    .filter(text => text !== '')
    .join(separator);

/** `3 high s`: the third signature. */
function signatureProblem(signature: JsonObject[string], index: number): string {
  const problem = jsonText(member(signature, 'problem'));
  return problem === '' ? '' : `${index + 1} ${problem}`;
}

/**
 * Adds to each amount column the exact amount in its unit, and once the unit's symbol; both are empty if the unit is
 * unknown. Amounts of one record have one unit.
 */
function withUnits(form: CsvForm, directory: Directory): CsvForm {
  const first = form.columns.find(({ unit }) => unit !== undefined);
  return {
    ...form,
    columns: form.columns.flatMap(column => {
      if (column.unit === undefined) return [column];
      const { id, title } = column;
      const value = (row: Row): string => scaledAmount(column.value(row), cellUnit(column, row, directory));
      const inUnits: Column = { id: `${id}_scaled`, title, kind: 'integer', value };
      if (column !== first) return [column, inUnits];
      const symbolOf = (row: Row): string => cellUnit(column, row, directory)?.symbol ?? '';
      return [column, inUnits, { id: 'symbol', title: 'SYMBOL', kind: 'text', value: symbolOf }];
    }),
  };
}

const scaledAmount = (value: string, unit: Unit | undefined): string =>
  unit === undefined ? '' : (toWholeUnits(value, unit.decimals) ?? '');
