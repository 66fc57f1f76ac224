import { isJsonArray, isJsonObject, type Json, jsonText, member } from './json.ts';

/** One page of a list (interface section 2.1), its records untouched. */
export interface Page {
  readonly records: readonly Json[];
  readonly startCursor: string;
  readonly endCursor: string;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/**
 * Takes the page out of an answer. Missing members and nulls read as empty; undefined when the answer has no page
 * under the wrapper key at all.
 */
export function readPage(answer: Json, wrapperKey: string): Page | undefined {
  const wrapper = member(answer, wrapperKey);
  if (!isJsonObject(wrapper)) return undefined;
  const edges = isJsonArray(wrapper.edges) ? wrapper.edges : [];
  const info = wrapper.pageInfo ?? null;
  return {
    records: edges.flatMap(edge => {
      const node = member(edge, 'node');
      return node === undefined || node === null ? [] : [node];
    }),
    startCursor: jsonText(member(info, 'startCursor')),
    endCursor: jsonText(member(info, 'endCursor')),
    hasNextPage: member(info, 'hasNextPage') === true,
    hasPreviousPage: member(info, 'hasPreviousPage') === true,
  };
}
