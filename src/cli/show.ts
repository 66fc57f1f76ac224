import { NO_NAMES } from '../directory/directory.ts';
import { csvHead, csvRecords } from '../explain/list-csv.ts';
import { csvFormOf, isNameable } from '../resources/columns.ts';
import { withUnits } from '../resources/csv-units.ts';
import { recordPieces } from '../resources/record-text.ts';
import { safeJson } from '../text/safe-text.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit-code.ts';
import { explainedValues } from './explained-values.ts';
import { findRecord, RECORD_FLAGS, recordNamed } from './find-record.ts';
import { namesFor } from './names.ts';
import { ASKING } from './options.ts';
import { formatOf, printValue, writeCsv } from './output.ts';
import { EXACT } from './resource-flags.ts';
import { NAMING_FLAGS, readSignersFor } from './signer-flags.ts';

export const show: Command = {
  form: '<resource> <key>',
  about: 'one record whole, by its key or name, or by a number: the Nth row of the page, from 0',
  examples: ['show parameters validators.epoch.length', 'show bundles 0 -o json'],
  flags: [...RECORD_FLAGS, ...NAMING_FLAGS, EXACT],
  uses: [...ASKING, 'output'],
  run: async (given, context) => {
    const named = recordNamed(given);
    const format = formatOf(given);
    const signers = await readSignersFor(format, given, named.resource);
    const found = await findRecord(given, context);
    if (found === undefined) return EXIT.refused;
    const { resource, row, around } = found;
    const isExact = given.has('exact');
    const names = async () => (isExact || !isNameable(resource) ? NO_NAMES : namesFor(found, context));
    if (format === 'table') {
      const pieces = recordPieces(resource, row, { around, directory: await names() });
      for (const piece of pieces) await context.stdout.safe(piece);
    } else if (format === 'csv') {
      const sent = csvFormOf(resource);
      const isNamed = !isExact && sent.columns.some(({ unit }) => unit !== undefined);
      const form = isNamed ? withUnits(sent, await names()) : sent;
      const explained = await explainedValues({ resource, filters: around.filters, signers }, found, context);
      const records = await csvRecords({ form, explained }, row, around.rows);
      await writeCsv([csvHead(form, explained), ...records], context.stdout);
    } else await context.stdout.data(printValue(row, format), safeJson);
    return EXIT.done;
  },
};
