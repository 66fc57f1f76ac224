import { nameOf } from '../../directory/directory.ts';
import type { Goal, Lead } from '../../resources/leads.ts';
import type { SessionState } from '../model/state.ts';
import { feeSubject } from '../model/statement-question.ts';
import { TABS } from '../model/tabs.ts';
import { goalsHere, goalTitle } from './goals.ts';
import type { MenuItem } from './menu-item.ts';

/** Where the ids of the selected row lead: lists and records, then the statements of its markets and parties. */
export function goItems(state: SessionState): readonly MenuItem[] {
  const goals = goalsHere(state);
  const leads = new Map(goals.map(({ lead }) => [`${lead.entity} ${lead.id}`, lead]));
  return [
    ...goals.map(goal => goalItem(goal, state)),
    ...[...leads.values()].flatMap(lead => statementItems(lead, state)),
  ];
}

const goalItem = (goal: Goal, state: SessionState): MenuItem => ({
  mark: TABS.find(tab => tab.id === goal.resource)?.key ?? '',
  label: goalTitle(goal),
  detail: namedId(goal.lead, state),
  action: { type: 'go-to', goal },
});

function statementItems(lead: Lead, state: SessionState): readonly MenuItem[] {
  const { entity, id } = lead;
  if ((entity !== 'market' && entity !== 'party') || feeSubject(entity, id) === undefined) return [];
  const detail = namedId(lead, state);
  return [{ mark: 'T', label: `statement of this ${entity}`, detail, action: { type: 'show-statement', id, entity } }];
}

function namedId({ entity, id }: Lead, { directory }: SessionState): string {
  const name = nameOf(directory, entity, id);
  return name === undefined ? id : `${name}  ${id}`;
}
