import type { JsonObject } from '../api/json.ts';
import { flagOf } from '../resources/filter.ts';
import { type Goal, goalsOf, type Lead } from '../resources/leads.ts';
import { resourceById } from '../resources/registry.ts';
import { shellWord } from '../text/shell-word.ts';
import type { WhatAnswer } from './what.ts';

/** The answer with the stable member names of docs/what.md. */
export const answerJson = (answer: WhatAnswer): JsonObject => ({
  value: answer.value,
  form: [...answer.says],
  roles: answer.roles.map(({ role, text, where, lead }) => ({
    role,
    text,
    where,
    entity: lead?.entity ?? null,
    id: lead?.id ?? null,
    commands: lead === undefined ? [] : commandsFor(lead),
  })),
  notFound: [...answer.notFound],
  notAsked: [...answer.unasked],
  requests: answer.requests,
});

/** The commands that show what an id leads to. */
export const commandsFor = (lead: Lead): string[] => goalsOf(lead).map(commandOf);

function commandOf(goal: Goal): string {
  const id = shellWord(goal.lead.id);
  if (goal.kind === 'record') return `blockglass show ${goal.resource} ${id}`;
  const filter = resourceById(goal.resource)?.filters.find(({ name }) => name === goal.filter);
  return `blockglass list ${goal.resource}${filter === undefined ? '' : ` --${flagOf(filter)} ${id}`}`;
}
