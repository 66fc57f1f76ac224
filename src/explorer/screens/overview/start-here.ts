import { sanitize } from '../../../base/text/safe-text.ts';
import { RESOURCES } from '../../../chain/resources/registry.ts';
import { cutLine, type Line, span, textLine } from '../../core/line.ts';
import { fittingParts, type RuleParts, ruleTitle, titledRule } from '../../core/rule.ts';
import type { SharedState } from '../../core/screen.ts';
import { TABS } from '../../tabs.ts';
import { BEGIN_ROWS } from './layout.ts';

/** Start here: what each tab has, and the two keys that help everywhere. */
export function startHereLines(columns: number): readonly Line[] {
  const row = (name: string, title: string, text: string): Line => [
    span(sanitize(' ')),
    ...key(name),
    span(sanitize(`  ${title.padEnd(TITLE_CELLS)}${text}`)),
  ];
  const lists = RESOURCES.map(({ id, title, description }) => {
    const digit = TABS.find(tab => tab.id === id)?.key ?? '';
    return row(digit, title, description);
  });
  const last = TABS.at(-1);
  const lines = [
    titledRule([ruleTitle('Start here')], columns),
    ...lists,
    row(last?.key ?? '', last?.title ?? '', 'what a party earned, audits, reports; fetched once'),
    row(':', 'Find', 'paste any id, name or address to look it up'),
    row('?', 'Keys', 'what each key does here'),
  ];
  return lines.slice(0, BEGIN_ROWS).map(line => cutLine(line, columns));
}

const TITLE_CELLS = 16;

/** Below the tabs: a note about sample data, else useful keys; at the first start, an introduction. */
export function startHereParts({ node, isFirstStart }: Pick<SharedState, 'node' | 'isFirstStart'>, cells: number) {
  const isDemo = node.label === 'demo' && node.moment === null;
  return fittingParts(isDemo ? DEMO_PARTS : [...(isFirstStart ? NEW_PARTS : []), ...USUAL_PARTS], cells);
}

const key = (text: string): Line => textLine(text, 'accent');

const FIND: Line = [...key(':'), ...textLine(' finds any id or name')];
const LISTS: Line = [...key(`${TABS[1]?.key}-${TABS.at(-1)?.key}`), ...textLine(' lists and history')];
const KEYS: Line = [...key('?'), ...textLine(' explains the keys')];

// The longest that has room is drawn.
const DEMO_PARTS: readonly RuleParts[] = [
  [
    ruleTitle('Sample data of a made-up chain'),
    [...textLine('your own node: '), ...key('N'), ...textLine(', or blockglass --node URL')],
  ],
  [ruleTitle('Sample data'), [...textLine('your own node: '), ...key('N')]],
];
const NEW_PARTS: readonly RuleParts[] = [[ruleTitle('A data node of a Vega chain'), LISTS, KEYS]];
const USUAL_PARTS: readonly RuleParts[] = [
  [FIND, LISTS, KEYS],
  [FIND, KEYS],
  [[...key(':'), ...textLine(' finds any id')], KEYS],
];
