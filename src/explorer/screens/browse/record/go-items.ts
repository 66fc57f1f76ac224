import { type Directory, nameOf } from '../../../../directory/directory.ts';
import type { Entity } from '../../../../directory/entity.ts';
import { countOf } from '../../../../insight/count-of.ts';
import type { Goal, Lead } from '../../../../resources/leads.ts';
import type { Choice } from '../../../core/choices.ts';
import { feeSubject } from '../../../core/fee-subject.ts';
import { goalTitle, NOUNS } from '../../../core/goal-title.ts';
import { TABS } from '../../../tabs.ts';
import type { ListContext } from '../list-context.ts';
import type { Browser } from '../state.ts';
import { goalsHere, type LeftOut } from './goals.ts';

/** Where the ids here lead: lists and records, then the statements of its markets and parties; `isWhole`: all ids of the record. */
export function goChoices(list: Browser, context: ListContext, isWhole: boolean): readonly Choice[] {
  const { goals, leftOut } = goalsHere(list, context, isWhole);
  const { directory } = context.shared;
  const leads = new Map(goals.map(({ lead }) => [`${lead.entity} ${lead.id}`, lead]));
  return [
    ...goals.map(goal => goalItem(goal, directory)),
    ...[...leads.values()].flatMap(lead => statementItems(lead, directory)),
    ...leftOut.map(group => leftOutItem(group, context, isWhole)),
  ];
}

function leftOutItem({ entity, count, isRest }: LeftOut, { to }: ListContext, isWhole: boolean): Choice {
  const ids = countOf(count, NOUNS[entity], PLURALS[entity]);
  const elsewhere = 'open the record: g on a line goes where that one leads';
  return {
    mark: '',
    label: `the ${isRest ? 'other ' : ''}${ids} of this record`,
    detail: isWhole ? elsewhere : 'Enter lists them',
    action: to({ type: 'open-menu', id: 'go-all' }),
    ...(isWhole && { disabledReason: elsewhere }),
  };
}

const PLURALS: { readonly [entity in Entity]?: string } = { party: 'parties', submitter: 'addresses' };

const goalItem = (goal: Goal, directory: Directory): Choice => ({
  mark: TABS.find(tab => tab.id === goal.resource)?.key ?? '',
  label: goalTitle(goal),
  detail: namedId(goal.lead, directory),
  action: { type: 'go-to', goal },
});

function statementItems(lead: Lead, directory: Directory): readonly Choice[] {
  const { entity, id } = lead;
  if ((entity !== 'market' && entity !== 'party') || feeSubject(entity, id) === undefined) return [];
  const detail = namedId(lead, directory);
  return [{ mark: 'T', label: `statement of this ${entity}`, detail, action: { type: 'show-statement', id, entity } }];
}

function namedId({ entity, id }: Lead, directory: Directory): string {
  const name = nameOf(directory, entity, id);
  return name === undefined ? id : `${name}  ${id}`;
}
