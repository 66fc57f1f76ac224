import { type Directory, nameOf } from '../chain/directory/directory.ts';
import type { Goal, Lead } from '../chain/resources/leads.ts';
import type { Choice } from './core/choice.ts';
import { feeSubject } from './core/fee-subject.ts';
import { goalTitle } from './core/goal-title.ts';
import { open } from './openings.ts';
import { TABS } from './tabs.ts';

/** A list or record that an id leads to, as a line to choose. */
export const goalChoice = (goal: Goal, names: Directory): Choice => ({
  mark: TABS.find(tab => tab.id === goal.resource)?.key ?? '',
  label: goalTitle(goal),
  detail: namedId(goal.lead, names),
  action: { type: 'go-to', goal },
});

/** The statement of a market or a party; nothing for other ids. */
export function feeChoices(lead: Lead, names: Directory): readonly Choice[] {
  const { entity, id } = lead;
  const subject = entity === 'market' || entity === 'party' ? feeSubject(entity, id) : undefined;
  if (subject === undefined) return [];
  const detail = namedId(lead, names);
  return [{ mark: 'T', label: `statement of this ${entity}`, detail, action: open('statement', subject) }];
}

function namedId({ entity, id }: Lead, names: Directory): string {
  const name = nameOf(names, entity, id);
  return name === undefined ? id : `${name}  ${id}`;
}
