import type { JsonObject } from '../api/json.ts';
import { filterFlag } from '../resources/filter.ts';
import { filtersOf, type Goal, goalsOf, type Lead, type ListGoal, largestFirstIn } from '../resources/leads.ts';
import { resourceById } from '../resources/registry.ts';
import { shellWord } from '../text/shell-word.ts';
import type { WhatAnswer } from './what.ts';

/** The answer with the stable member names of docs/what.md. */
export const answerJson = (answer: WhatAnswer, nodeFlag = ''): JsonObject => ({
  value: answer.value,
  form: [...answer.formNotes],
  roles: answer.roles.map(({ role, text, where, lead }) => ({
    role,
    text,
    where,
    entity: lead?.entity ?? null,
    id: lead?.id ?? null,
    commands: lead === undefined ? [] : commandsFor(lead, nodeFlag),
  })),
  notFound: [...answer.notFound],
  notAsked: [...answer.unchecked],
  requests: answer.requests,
});

/** The commands for everything an id leads to, each with the flag for the node. */
export const commandsFor = (lead: Lead, nodeFlag = ''): string[] =>
  goalsOf(lead).map(goal => `${goal.kind === 'record' ? showCommand(goal) : listCommand(goal)}${nodeFlag}`);

const showCommand = ({ resource, lead }: Goal): string => `blockglass show ${resource} ${shellWord(lead.id)}`;

// The same list as the key opens.
function listCommand(goal: ListGoal): string {
  const filters = filtersOf(goal);
  const flags = (resourceById(goal.resource)?.filters ?? []).flatMap(filter =>
    (filters[filter.name] ?? []).map(value => ` ${filterFlag(filter, value)}`),
  );
  const column = largestFirstIn(goal);
  const order = column === undefined ? '' : ` --sort ${column}:desc`;
  return `blockglass list ${goal.resource}${flags.join('')}${order}`;
}
