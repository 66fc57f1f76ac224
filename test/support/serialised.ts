import { type AllRecords, serialised, type TableForm } from '../../src/base/text/serialise.ts';

/** All of the text of records. */
export async function textAs<T>(form: TableForm, all: AllRecords<T>): Promise<string> {
  let text = '';
  for await (const { exact } of serialised(form, all)) text += exact;
  return text;
}
