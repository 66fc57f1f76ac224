import { isJsonArray, type JsonObject, jsonText, member } from '../api/json.ts';

/** A column of CSV that the record alone does not give: it is read out of what the record means. */
export interface ExplainedColumn {
  readonly id: string;
  /** Of the explanation's JSON. */
  readonly value: (json: JsonObject) => string;
}

/** By the id of their list. */
export const EXPLAINED_COLUMNS: { readonly [resource: string]: readonly ExplainedColumn[] } = {
  bundles: [
    { id: 'form', value: ({ form }) => jsonText(form) },
    { id: 'known', value: ({ known }) => jsonText(known) },
    // In the order of the bundle; ? where nobody can be named.
    {
      id: 'signers',
      value: json => ofSignatures(json, signature => jsonText(member(signature, 'signer')) || '?', ' '),
    },
    { id: 'problems', value: json => ofSignatures(json, problemOf, '; ') },
  ],
  // The value as a plain number, and what it counts: seconds, per cent, whole units of an asset.
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
