import { type Directory, nameOf } from '../chain/directory/directory.ts';
import type { Link, LinkTarget } from '../chain/resources/links.ts';
import type { Choice } from './core/choice.ts';
import { feeSubject } from './core/fee-subject.ts';
import { goalTitle } from './core/goal-title.ts';
import { open } from './openings.ts';
import { TABS } from './tabs.ts';

/** A list or record that an id leads to, as a line to choose. */
export const goalChoice = (goal: LinkTarget, names: Directory): Choice => ({
  mark: TABS.find(tab => tab.id === goal.resource)?.key ?? '',
  label: goalTitle(goal),
  detail: nameAndId(goal.lead, names),
  action: { type: 'go-to', goal },
});

/** The screens of a market or a party other than lists; empty for other ids. */
export const subjectChoices = (lead: Link, names: Directory): readonly Choice[] => [
  ...feeChoices(lead, names),
  ...earnedChoices(lead, nameAndId(lead, names)),
];

/** What a party earned, from the history on disk. */
export function earnedChoices({ entity, id }: Link, detail = id): readonly Choice[] {
  const party = entity === 'party' ? feeSubject(entity, id)?.party : undefined;
  return party !== undefined ? [{ mark: 'E', label: 'what it earned', detail, action: open('earned', { party }) }] : [];
}

function feeChoices(lead: Link, names: Directory): readonly Choice[] {
  const { entity, id } = lead;
  const subject = entity === 'market' || entity === 'party' ? feeSubject(entity, id) : undefined;
  if (subject === undefined) return [];
  const detail = nameAndId(lead, names);
  return [{ mark: 'T', label: `statement of this ${entity}`, detail, action: open('statement', subject) }];
}

function nameAndId({ entity, id }: Link, names: Directory): string {
  const name = nameOf(names, entity, id);
  return name === undefined ? id : `${name}  ${id}`;
}
