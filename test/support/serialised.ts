import { type RecordsToSerialise, serialiseAll, type TableFormat } from '../../src/base/text/serialise.ts';

/** All of the text of records. */
export async function textAs<T>(form: TableFormat, all: RecordsToSerialise<T>): Promise<string> {
  let text = '';
  for await (const { exact } of serialiseAll(form, all)) text += exact;
  return text;
}
