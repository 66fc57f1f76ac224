import { isJsonArray, type JsonObject, jsonText, member } from '../api/json.ts';

/** A CSV column taken from the explanation of a record. */
export interface ExplainedColumn {
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
      value: json => ofSignatures(json, signature => jsonText(member(signature, 'signer')) || '?', ' '),
    },
    { id: 'problems', value: json => ofSignatures(json, problemOf, '; ') },
  ],
  // The value as a plain number, and its unit: seconds, percent, whole units of an asset.
  parameters: [
    { id: 'scaled', value: ({ value }) => jsonText(member(value, 'value')) },
    { id: 'unit', value: ({ value }) => jsonText(member(value, 'symbol')) },
    { id: 'words', value: ({ words }) => jsonText(words) },
  ],
};

const ofSignatures = (
  { signatures }: JsonObject,
  say: (signature: JsonObject[string], index: number) => string,
  separator: string,
): string =>
  (isJsonArray(signatures) ? signatures : [])
    .map(say)
    .filter(text => text !== '')
    .join(separator);

/** `3 high s`: the third signature. */
function problemOf(signature: JsonObject[string], index: number): string {
  const problem = jsonText(member(signature, 'problem'));
  return problem === '' ? '' : `${index + 1} ${problem}`;
}
