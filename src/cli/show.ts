import { safeLine, safeText } from '../base/text/safe-text.ts';
import { indentedJson } from '../chain/api/json.ts';
import { type Directory, NO_NAMES } from '../chain/directory/directory.ts';
import { createAsk } from '../chain/explain/ask.ts';
import { type Explanation, explanationText } from '../chain/explain/explanation.ts';
import { listForms } from '../chain/explain/list-csv.ts';
import { EXPLAINERS } from '../chain/explain/registry.ts';
import { csvFormOf, isNameable } from '../chain/resources/columns.ts';
import { recordPieces } from '../chain/resources/record-text.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import { fetchExplainedValues } from './explained-values.ts';
import { type FoundRecord, findRecord, RECORD_FLAGS, readRecordQuery } from './find-record.ts';
import { CONNECTION_AND_SNAPSHOT_FLAGS, type ParsedFlags } from './flags.ts';
import { lazyNames, loadNames } from './load-names.ts';
import { FORMATS, printDocument, printRecords, REPORT_FORMATS, readFormat } from './output.ts';
import { EXACT_FLAG, exampleList } from './resource-flags.ts';
import { readSignerFlags, refuseFlags, SIGNER_FLAGS, THRESHOLD_FLAGS } from './signer-flags.ts';
import { UsageError } from './usage-error.ts';

export const show: Command = {
  group: 'Look at a chain',
  form: '<resource> <key>',
  about: 'explain a record, then print it. Select it by its key, a name, or its row number (0 = first row of the page)',
  examples: ['show parameters validators.epoch.length', 'show bundles 0 --meaning -o json'],
  examplesOf: name => [`show ${exampleList(name, '0')}`, `show ${exampleList(name, '0')} --meaning -o json`],
  flags: [
    { name: 'raw', kind: 'switch', group: 'Output', about: 'only the record' },
    { name: 'meaning', kind: 'switch', group: 'Output', about: 'only the explanation, as a table or json' },
    ...RECORD_FLAGS,
    ...SIGNER_FLAGS,
    EXACT_FLAG,
  ],
  uses: [...CONNECTION_AND_SNAPSHOT_FLAGS, 'output'],
  run: async (given, context) => {
    const named = readRecordQuery(given);
    const print = choosePrinter(given);
    const said = await readSignerFlags(given, named.resource);
    const found = await findRecord(named, given, context);
    if (found === undefined) return EXIT.refused;
    await print({ found, said, isExact: given.has('exact'), context });
    return EXIT.done;
  },
};

interface ShownRecord {
  readonly found: FoundRecord;
  /** What the user knows about the contract of a bundle. */
  readonly said: Awaited<ReturnType<typeof readSignerFlags>>;
  readonly isExact: boolean;
  readonly context: Context;
}

/** How to print what the flags ask for. Throws a usage error for flags without effect on it. */
function choosePrinter(given: ParsedFlags): (shown: ShownRecord) => Promise<void> {
  if (given.has('meaning')) {
    const other = ['raw', 'exact'].find(name => given.has(name));
    if (other !== undefined) throw new UsageError(`--meaning cannot be used with --${other}`);
    return readFormat(given, REPORT_FORMATS) === 'json' ? printMeaningJson : printMeaning;
  }
  const format = readFormat(given, FORMATS);
  const isWithMeaning = format === 'table' && !given.has('raw') && !given.has('exact');
  if (isWithMeaning) return printMeaningAndRecord;
  refuseFlags(
    given,
    format === 'csv' ? THRESHOLD_FLAGS : SIGNER_FLAGS,
    'needs --meaning here: the record has no place for it',
  );
  return format === 'table' ? printRecord : shown => printSerialised(format, shown);
}

async function printMeaningAndRecord(shown: ShownRecord): Promise<void> {
  const { stdout } = shown.context;
  const { resource, row } = shown.found;
  const names = lazyNamesFor(shown, { isForReader: true });
  if (Object.hasOwn(EXPLAINERS, resource.id)) {
    await stdout.safe(explanationText(await explainRecord(shown, await names())));
    const heading = `Fields as sent (${Object.keys(row).length})`;
    await stdout.safe(safeText`\n${safeLine(heading)}\n`);
  }
  await printFields(shown, names);
}

const printRecord = (shown: ShownRecord): Promise<void> =>
  printFields(shown, lazyNamesFor(shown, { isForReader: true }));

async function printMeaning(shown: ShownRecord): Promise<void> {
  const directory = await lazyNamesFor(shown, { isForReader: true })();
  await shown.context.stdout.safe(explanationText(await explainRecord(shown, directory)));
}

async function printMeaningJson(shown: ShownRecord): Promise<void> {
  const directory = await lazyNamesFor(shown, { isForReader: false })();
  await printDocument((await explainRecord(shown, directory)).json, shown.context.stdout);
}

async function printFields({ found, isExact, context }: ShownRecord, names: () => Promise<Directory>): Promise<void> {
  const { resource, row, around, clock } = found;
  const directory = isExact || !isNameable(resource) ? NO_NAMES : await names();
  for (const piece of recordPieces(resource, row, { around, directory, nowMs: clock.nowMs() }))
    await context.stdout.safe(piece);
}

async function printSerialised(
  format: 'json' | 'ndjson' | 'csv',
  { found, said, isExact, context }: ShownRecord,
): Promise<void> {
  const { resource, row, around } = found;
  const sent = csvFormOf(resource);
  const isNamed = !isExact && sent.columns.some(({ unit }) => unit !== undefined);
  const listed = { resource, filters: around.filters, signers: said };
  const explained = format === 'csv' ? await fetchExplainedValues(listed, found, context) : undefined;
  const forms = listForms(sent, { names: isNamed ? () => loadNames(found, context) : null, explained });
  const records = [{ row, among: around }];
  await printRecords(format, { ...forms, records, document: () => indentedJson(row) }, context.stdout);
}

const lazyNamesFor = (
  { found, context }: ShownRecord,
  readBy: { readonly isForReader: boolean },
): (() => Promise<Directory>) => lazyNames(found, context, readBy);

async function explainRecord({ found, said, context }: ShownRecord, directory: Directory): Promise<Explanation> {
  const { client, clock, resource, row, around } = found;
  const explainer = await EXPLAINERS[resource.id]?.();
  if (explainer === undefined) throw new UsageError(`there is no explanation for ${resource.id}. Use --raw.`);
  const ask = createAsk(client, context.nowMs)(context.signal);
  return explainer(row, {
    ...said,
    hasFlags: true,
    directory,
    ...{ nowMs: clock.nowMs(), hasEnded: clock.hasEnded() },
    around,
    ask,
  });
}
