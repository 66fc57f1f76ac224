import { hideLogin } from '../api/login.ts';
import { aliasesById } from '../directory/aliases.ts';
import { NO_NAMES } from '../directory/directory.ts';
import { EMPTY, joinSafe, type SafeText, safeLine, safeText, sanitize } from '../text/safe-text.ts';
import { shellWord } from '../text/shell-word.ts';
import { answerJson, commandsFor } from '../what/answer-json.ts';
import { nothingKnown, type WhatAnswer, whatIs } from '../what/what.ts';
import { connectAsked } from './asked-node.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit-code.ts';
import { ASKING, type Given } from './options.ts';
import { formatOf, printDocument, REPORT_FORMATS } from './output.ts';
import { UsageError } from './usage-error.ts';

export const what: Command = {
  form: '<value>',
  about:
    'say what an id, an address, a number, a name, a cursor or a time is to the node. It sends at most eight requests',
  formats: REPORT_FORMATS,
  examples: ['what validators.epoch.length', 'what c4ce365e0c15309e49eb696b314eea13b526a299f2c0d49cac87dcfc2a346b9c'],
  flags: [],
  uses: [...ASKING, 'output'],
  run: async (given, context) => {
    const value = given.words.join(' ');
    if (value.trim() === '')
      throw new UsageError(
        'missing argument <value>: an id, an address, a number, a name, a cursor or a time. Usage: blockglass what <value>',
      );
    const format = formatOf(given, REPORT_FORMATS);
    const { client } = await connectAsked(given, context);
    const { aliases = {} } = await context.settings().catch(() => ({ aliases: {} }));
    const directory = { ...NO_NAMES, aliases: aliasesById(aliases) };
    const flag = nodeFlag(given);
    const answer = await whatIs(value, { client, directory, signal: context.signal });
    if (format === 'json') await printDocument(answerJson(answer, flag), context.stdout);
    else await context.stdout.safe(answerText(answer, flag));
    return answer.roles.length === 0 ? EXIT.refused : EXIT.done;
  },
};

// Commands name a node only if the command line did. Logins are never printed.
function nodeFlag(given: Given): string {
  if (given.has('demo')) return ' --demo';
  const node = given.text('node');
  return node === undefined || hideLogin(node) !== node ? '' : ` --node ${shellWord(node)}`;
}

function answerText(answer: WhatAnswer, flag: string): SafeText {
  const { value, formNotes, roles, notFound, unchecked, requests } = answer;
  const roleLines = roles.map(({ role, text, lead }, index) => {
    // Roles of one id share their commands, printed with the last one.
    const isRepeated = roles.slice(index + 1).some(({ lead: later }) => later?.id === lead?.id);
    const commands =
      lead === undefined || isRepeated ? [] : commandsFor(lead, flag).map(command => safeLine(`    ${command}`));
    return safeText`${safeLine(`  ${role}: ${text}`)}${joinSafe(commands)}`;
  });
  return joinSafe([
    safeLine(value),
    ...formNotes.map(sentence => safeLine(`  ${sentence}`)),
    safeText`\nWhat it is here\n`,
    roleLines.length === 0 ? safeLine(`  ${nothingKnown(answer)}`) : joinSafe(roleLines),
    listOf('Not found', notFound),
    listOf('Not checked', unchecked),
    safeText`\n${sanitize(`${requests} ${requests === 1 ? 'request' : 'requests'}`)}\n`,
  ]);
}

const listOf = (title: string, sentences: readonly string[]): SafeText =>
  sentences.length === 0
    ? EMPTY
    : safeText`\n${safeLine(title)}${joinSafe(sentences.map(sentence => safeLine(`  ${sentence}`)))}`;
