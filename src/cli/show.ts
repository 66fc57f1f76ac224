import { indentedJson } from '../api/json.ts';
import { NO_NAMES } from '../directory/directory.ts';
import { listForms } from '../explain/list-csv.ts';
import { csvFormOf, isNameable } from '../resources/columns.ts';
import { recordPieces } from '../resources/record-text.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit-code.ts';
import { explainedValues } from './explained-values.ts';
import { findRecord, RECORD_FLAGS, recordNamed } from './find-record.ts';
import { namesFor, namesForReader } from './names.ts';
import { ASKING_AT } from './options.ts';
import { FORMATS, formatOf, printRecords } from './output.ts';
import { EXACT, exampleList } from './resource-flags.ts';
import { NAMING_FLAGS, readSignersFor } from './signer-flags.ts';

export const show: Command = {
  form: '<resource> <key>',
  about: 'print one record in full, by its key, its name if it has one, or its row number (0 = first row of the page)',
  examples: ['show parameters validators.epoch.length', 'show bundles 0 -o json'],
  examplesOf: name => [`show ${exampleList(name, '0')}`, `show ${exampleList(name, '0')} -o json`],
  flags: [...RECORD_FLAGS, ...NAMING_FLAGS, EXACT],
  uses: [...ASKING_AT, 'output'],
  run: async (given, context) => {
    const named = recordNamed(given, 'show');
    const format = formatOf(given, FORMATS);
    const signers = await readSignersFor(format, given, named.resource);
    const found = await findRecord(named, given, context);
    if (found === undefined) return EXIT.refused;
    const { resource, row, around } = found;
    const isExact = given.has('exact');
    const names = async () =>
      isExact || !isNameable(resource) ? NO_NAMES : (format === 'table' ? namesForReader : namesFor)(found, context);
    if (format === 'table') {
      const pieces = recordPieces(resource, row, { around, directory: await names(), nowMs: found.clock.nowMs() });
      for (const piece of pieces) await context.stdout.safe(piece);
    } else {
      const sent = csvFormOf(resource);
      const isNamed = !isExact && sent.columns.some(({ unit }) => unit !== undefined);
      const listed = { resource, filters: around.filters, signers };
      const explained = format === 'csv' ? await explainedValues(listed, found, context) : undefined;
      const forms = listForms(sent, { names: isNamed ? names : null, explained });
      const records = [{ row, among: around }];
      await printRecords(format, { ...forms, records, document: () => indentedJson(row) }, context.stdout);
    }
    return EXIT.done;
  },
};
