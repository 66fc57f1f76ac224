import { EMPTY, joinSafe, type SafeText, safeLine, safeText, sanitize } from '../base/text/safe-text.ts';
import { shellWord } from '../base/text/shell-word.ts';
import type { JsonObject } from '../chain/api/json.ts';
import { NO_NAMES } from '../chain/directory/directory.ts';
import { NOTHING_MINE } from '../chain/directory/mine.ts';
import { countOf } from '../chain/insight/count-of.ts';
import { filterFlag } from '../chain/resources/filter.ts';
import {
  type Link,
  type LinkTarget,
  type ListTarget,
  servedTargets,
  sortColumnOfTarget,
  targetFilters,
} from '../chain/resources/links.ts';
import { resourceById } from '../chain/resources/registry.ts';
import { notFoundSentence, type WhatAnswer, whatIs } from '../chain/what/what.ts';
import type { Command } from './command.ts';
import { connectToChosenNode, nodeFlag } from './connect-to-node.ts';
import { EXIT } from './exit-code.ts';
import { CONNECTION_AND_SNAPSHOT_FLAGS } from './flags.ts';
import { mineOnAnyChain, userAliases } from './load-names.ts';
import { printDocument, REPORT_FORMATS, readFormat } from './output.ts';
import { UsageError } from './usage-error.ts';

export const what: Command = {
  group: 'Look at a chain',
  form: '<value>',
  about: 'identify an id, address, number, name, cursor or time. It sends at most twelve requests to the node',
  formats: REPORT_FORMATS,
  examples: ['what validators.epoch.length', 'what c4ce365e0c15309e49eb696b314eea13b526a299f2c0d49cac87dcfc2a346b9c'],
  flags: [],
  uses: [...CONNECTION_AND_SNAPSHOT_FLAGS, 'output'],
  run: async (given, context) => {
    const value = given.words.join(' ');
    if (value.trim() === '')
      throw new UsageError(
        'missing argument <value>: an id, an address, a number, a name, a cursor or a time. Usage: blockglass what <value>',
      );
    const format = readFormat(given, REPORT_FORMATS);
    const { client } = await connectToChosenNode(given, context);
    const mine = format === 'table' ? await mineOnAnyChain(context) : NOTHING_MINE;
    const directory = { ...NO_NAMES, aliases: await userAliases(context), mine };
    const flag = nodeFlag(given);
    const answer = await whatIs(value, { client, directory, signal: context.signal });
    if (format === 'json') await printDocument(answerJson(answer, flag), context.stdout);
    else await context.stdout.safe(answerText(answer, flag));
    return answer.roles.length === 0 ? EXIT.refused : EXIT.done;
  },
};

function answerText(answer: WhatAnswer, flag: string): SafeText {
  const { value, formNotes, roles, notFound, unchecked, notServed, requests } = answer;
  const roleLines = roles.map(({ role, text, lead }, index) => {
    // Roles of one id share their commands, printed with the last one.
    const isRepeated = roles.slice(index + 1).some(({ lead: later }) => later?.id === lead?.id);
    const commands =
      lead === undefined || isRepeated
        ? []
        : linkCommands(lead, notServed, flag).map(command => safeLine(`    ${command}`));
    return safeText`${safeLine(`  ${role}: ${text}`)}${joinSafe(commands)}`;
  });
  return joinSafe([
    safeLine(value),
    ...formNotes.map(sentence => safeLine(`  ${sentence}`)),
    safeText`\nMeaning here\n`,
    roleLines.length === 0 ? safeLine(`  ${notFoundSentence(answer)}`) : joinSafe(roleLines),
    sectionText('Not found', notFound),
    sectionText('Not checked', unchecked),
    safeText`\n${sanitize(countOf(requests, 'request'))}\n`,
  ]);
}

const sectionText = (title: string, sentences: readonly string[]): SafeText =>
  sentences.length === 0
    ? EMPTY
    : safeText`\n${safeLine(title)}${joinSafe(sentences.map(sentence => safeLine(`  ${sentence}`)))}`;

/** The answer with the stable member names of docs/guides/meaning.md. */
const answerJson = (answer: WhatAnswer, nodeFlag = ''): JsonObject => ({
  value: answer.value,
  form: [...answer.formNotes],
  roles: answer.roles.map(({ role, text, where, lead }) => ({
    role,
    text,
    where,
    entity: lead?.entity ?? null,
    id: lead?.id ?? null,
    commands: lead === undefined ? [] : linkCommands(lead, answer.notServed, nodeFlag),
  })),
  notFound: [...answer.notFound],
  notAsked: [...answer.unchecked],
  requests: answer.requests,
});

/** The commands for everything an id leads to on this node, each with the flag for the node. */
const linkCommands = (lead: Link, notServed: readonly string[], nodeFlag = ''): string[] =>
  servedTargets(lead, notServed).map(
    goal => `${goal.kind === 'record' ? showCommand(goal) : listCommand(goal)}${nodeFlag}`,
  );

const showCommand = ({ resource, lead }: LinkTarget): string => `blockglass show ${resource} ${shellWord(lead.id)}`;

// The same list as the key opens.
function listCommand(goal: ListTarget): string {
  const filters = targetFilters(goal);
  const flags = (resourceById(goal.resource)?.filters ?? []).flatMap(filter =>
    (filters[filter.name] ?? []).map(value => ` ${filterFlag(filter, value)}`),
  );
  const column = sortColumnOfTarget(goal);
  const order = column === undefined ? '' : ` --sort ${column}:desc`;
  return `blockglass list ${goal.resource}${flags.join('')}${order}`;
}
