import { goalsOf } from '../../resources/leads.ts';
import { nothingKnown, type WhatAnswer } from '../../what/what.ts';
import type { SessionState } from '../model/state.ts';
import { TABS } from '../model/tabs.ts';
import { goalTitle } from './goals.ts';
import type { MenuItem } from './menu-item.ts';

/** What a pasted value is, a line a role; Enter on one goes where it leads. Then where it was not found. */
export function whatItems({ pasted }: SessionState): readonly MenuItem[] {
  if (pasted === null) return [];
  if (pasted.problem !== null) return [told('not known', pasted.problem)];
  const { answer } = pasted;
  if (answer === null) return [told('asking the node', 'in eight requests at most; Esc stops it')];
  const roles = answer.roles.flatMap((role, index) => roleItems(answer, role, index));
  return [
    ...(roles.length === 0 ? [told(nothingKnown(answer), '')] : roles),
    ...answer.says.map(sentence => told('by its form', sentence)),
    ...answer.notFound.map(sentence => told('not found', sentence)),
    ...answer.unasked.map(sentence => told('not checked', sentence)),
    told('requests', String(answer.requests)),
  ];
}

const told = (label: string, detail: string): MenuItem => ({
  mark: '',
  label,
  detail,
  action: { type: 'noticed', text: detail },
  off: detail,
});

/** The role leads to its record, or to the first list; the other ways of an id stand under its last role. */
function roleItems({ roles }: WhatAnswer, role: WhatAnswer['roles'][number], index: number): readonly MenuItem[] {
  const { lead } = role;
  const detail = `${role.text}  (${role.where})`;
  if (lead === undefined) return [told(role.role, detail)];
  const goals = goalsOf(lead);
  const first = goals.find(({ kind }) => kind === 'record') ?? goals[0];
  if (first === undefined) return [told(role.role, detail)];
  const keyOf = (resource: string): string => TABS.find(({ id }) => id === resource)?.key ?? '';
  const isLast = !roles
    .slice(index + 1)
    .some(({ lead: later }) => later?.entity === lead.entity && later.id === lead.id);
  const others = goals.filter(goal => goal !== first && isLast);
  return [
    { mark: keyOf(first.resource), label: role.role, detail, action: { type: 'go-to', goal: first } },
    ...others.map(
      (goal): MenuItem => ({
        mark: keyOf(goal.resource),
        label: `  ${goalTitle(goal)}`,
        detail: lead.id,
        action: { type: 'go-to', goal },
      }),
    ),
  ];
}
