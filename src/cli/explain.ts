import { NO_NAMES } from '../directory/directory.ts';
import { createAsk } from '../explain/ask.ts';
import { type Explanation, explanationText } from '../explain/explanation.ts';
import { EXPLAINERS } from '../explain/registry.ts';
import { recordText } from '../resources/record-text.ts';
import { safeLine } from '../text/safe-text.ts';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import { type Found, findRecord, RECORD_FLAGS, recordNamed } from './find-record.ts';
import { namesFor, namesForReader } from './names.ts';
import { ASKING_AT } from './options.ts';
import { formatOf, printDocument, REPORT_FORMATS } from './output.ts';
import { exampleList } from './resource-flags.ts';
import { readSignerFlags, SIGNER_FLAGS } from './signer-flags.ts';

export const explain: Command = {
  form: '<resource> <key>',
  about:
    'explain what a record means, by its key, its name if it has one, or its row number (0 = first row of the page)',
  examples: ['explain bundles 0', 'explain parameters validators.epoch.length -o json'],
  examplesOf: name => [`explain ${exampleList(name, '0')}`, `explain ${exampleList(name, '0')} -o json`],
  formats: REPORT_FORMATS,
  flags: [...RECORD_FLAGS, ...SIGNER_FLAGS],
  uses: [...ASKING_AT, 'output'],
  run: async (given, context) => {
    const named = recordNamed(given, 'explain');
    const isJson = formatOf(given, REPORT_FORMATS) === 'json';
    const said = await readSignerFlags(given, named.resource);
    const found = await findRecord(named, given, context);
    if (found === undefined) return EXIT.refused;
    const explanation = await explained(found, context, { ...said, isJson });
    if (explanation === undefined) await printRecord(found, context, isJson);
    else if (isJson) await printDocument(explanation.json, context.stdout);
    else await context.stdout.safe(explanationText(explanation));
    return EXIT.done;
  },
};

type Said = Awaited<ReturnType<typeof readSignerFlags>> & { readonly isJson: boolean };

async function explained(found: Found, context: Context, { isJson, ...said }: Said): Promise<Explanation | undefined> {
  const { client, clock, resource, row, around } = found;
  const load = Object.hasOwn(EXPLAINERS, resource.id) ? EXPLAINERS[resource.id] : undefined;
  if (load === undefined) return undefined;
  const explainer = await load();
  const directory = await (isJson ? namesFor : namesForReader)(found, context);
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

async function printRecord({ clock, resource, row, around }: Found, context: Context, isJson: boolean): Promise<void> {
  await context.stderr.safe(
    safeLine(`blockglass: this version cannot explain a record of this list; here it is as sent`),
  );
  if (isJson) await printDocument(row, context.stdout);
  else await context.stdout.safe(recordText(resource, row, { around, directory: NO_NAMES, nowMs: clock.nowMs() }));
}
