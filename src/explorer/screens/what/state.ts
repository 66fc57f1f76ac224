import { sanitize } from '../../../base/text/safe-text.ts';
import { truncateMiddle } from '../../../base/text/width.ts';
import { type LinkTarget, servedTargets } from '../../../chain/resources/links.ts';
import { notFoundSentence, type WhatAnswer } from '../../../chain/what/what.ts';
import type { Choice } from '../../core/choice.ts';
import type { ChoiceList } from '../../core/choices.ts';
import { goalTitle } from '../../core/goal-title.ts';
import { earnedChoices } from '../../goal-choices.ts';
import { TABS } from '../../tabs.ts';

/** What a value is: an id, an address, a number or a name. */
export type IdentifiedValue = { readonly text: string; readonly list: ChoiceList } & (
  | { readonly status: 'asking' }
  | { readonly status: 'known'; readonly answer: WhatAnswer }
  | { readonly status: 'failed'; readonly problem: string }
);

const SHORT_CELLS = 30;

export function whatTitle(value: IdentifiedValue): string {
  const short = truncateMiddle(sanitize(value.text.slice(0, 200)), SHORT_CELLS);
  const leads = value.status === 'known' && value.answer.roles.some(({ lead }) => lead !== undefined);
  return leads ? `${short}: Enter goes there, Backspace comes back` : short;
}

/** A line for each role; Enter on one goes where it leads. Then where the value was not found. */
export function whatChoices(value: IdentifiedValue): readonly Choice[] {
  switch (value.status) {
    case 'asking':
      return [said('asking the node', 'in twelve requests at most; Esc stops it')];
    case 'failed':
      return [said('not known', value.problem)];
    case 'known': {
      const { answer } = value;
      // The first line is selected: a word of one's own, which leads nowhere, is not for it.
      const ordered = answer.roles.toSorted((a, b) => Number(a.lead === undefined) - Number(b.lead === undefined));
      const roles = ordered.flatMap((role, index) => roleChoices(role, ordered.slice(index + 1), answer.notServed));
      return [
        ...(roles.length === 0 ? [said(notFoundSentence(answer), '')] : roles),
        ...answer.formNotes.map(sentence => said('by its form', sentence)),
        ...answer.notFound.map(sentence => said('not found', sentence)),
        ...answer.unchecked.map(sentence => said('not checked', sentence)),
        said('requests', String(answer.requests)),
      ];
    }
  }
}

/** A line that leads nowhere. */
const said = (label: string, detail: string): Choice => ({
  mark: '',
  label,
  detail,
  action: { type: 'noticed', text: detail },
  disabledReason: detail,
});

type Roles = WhatAnswer['roles'];

/**
 * A role leads to the list that it was found in, or else to its record, or else to the first list; the other goals of an id
 * stand below its last role.
 */
function roleChoices(role: Roles[number], later: Roles, notServed: readonly string[]): readonly Choice[] {
  const { lead } = role;
  const detail = `${role.text}  (${role.where})`;
  if (lead === undefined) return [said(role.role, detail)];
  const goals = servedTargets(lead, notServed);
  const isFoundIn = ({ resource }: LinkTarget): boolean => resource === role.where;
  const first = goals.find(isFoundIn) ?? goals.find(({ kind }) => kind === 'record') ?? goals[0];
  if (first === undefined) return [said(role.role, detail)];
  const keyOf = (resource: string): string => TABS.find(({ id }) => id === resource)?.key ?? '';
  const isLast = !later.some(({ lead: other }) => other?.entity === lead.entity && other.id === lead.id);
  const others = goals.filter(goal => goal !== first && isLast);
  return [
    { mark: keyOf(first.resource), label: role.role, detail, action: { type: 'go-to', goal: first } },
    ...others.map(
      (goal): Choice => ({
        mark: keyOf(goal.resource),
        label: `  ${goalTitle(goal)}`,
        detail: lead.id,
        action: { type: 'go-to', goal },
      }),
    ),
    ...(isLast ? earnedChoices(lead) : []),
  ];
}
