import { basename } from 'node:path';
import { marksWholeLine } from '../../session/model/looks.ts';
import type { Confirm, Menu, ValueView } from '../../session/model/overlay.ts';
import type { SessionState } from '../../session/model/state.ts';
import { valueLines } from '../../session/model/value-lines.ts';
import { select } from '../../session/model/window.ts';
import { menuItems, menuTitle } from '../../session/reduce/menu.ts';
import { safeText, sanitize } from '../../text/safe-text.ts';
import { fitCells, widthCells } from '../../text/width.ts';
import { BLANK, type Line, markedLine, span, textLine } from '../line.ts';

const MARK_CELLS = 16;
const LABEL_CELLS = 34;

/** A list to pick from, over the body. */
export function drawMenu(state: SessionState, menu: Menu, rows: number): readonly Line[] {
  const items = menuItems(state, menu);
  const { top } = select({ row: 0, top: 0 }, menu.cursor, items.length, rows);
  const hasMarks = items.some(({ mark }) => mark !== '');
  const markCells = hasMarks ? (menu.id === 'help' ? MARK_CELLS : 4) : 0;
  const lines = items.slice(top, top + rows).map((item, index): Line => {
    const isSelected = top + index === menu.cursor;
    const quiet = item.off === undefined ? 'plain' : 'quiet';
    const line = [
      span(isSelected ? safeText`> ` : safeText`  `, 'selected'),
      span(fitCells(sanitize(item.mark), markCells), item.off === undefined ? 'accent' : 'quiet'),
      span(fitCells(sanitize(item.label), LABEL_CELLS), isSelected ? 'selected' : quiet),
      span(safeText` `),
      span(sanitize(item.detail.slice(0, 500)), 'quiet'),
    ];
    return isSelected && marksWholeLine(state) ? markedLine(line, state.screen.columns) : line;
  });
  const more = items.length > rows ? `  ${menu.cursor + 1} of ${items.length}` : '';
  const empty =
    items.length === 0
      ? [textLine(menu.query === '' ? '  nothing to choose' : `  nothing matches "${menu.query}"`, 'quiet')]
      : [];
  return [textLine(` ${menuTitle(state, menu)}${more}`, 'strong'), BLANK, ...lines, ...empty];
}

/** What is asked before something is done, as long as it fits beside its answers. */
export function confirmText(state: SessionState, confirm: Confirm): string {
  const texts = confirmTexts(state, confirm);
  const fitting = texts.find(text => widthCells(sanitize(text)) + ANSWERS.length < state.screen.columns);
  return `${fitting ?? texts.at(-1) ?? ''}${ANSWERS}`;
}

const ANSWERS = '  y / n';

/** The longest first. */
function confirmTexts({ job, wizard, saving }: SessionState, confirm: Confirm): readonly string[] {
  const isSliced = job?.plan.slices !== undefined;
  switch (confirm.id) {
    case 'switch-node':
      return [
        `An export is running. Switch to ${confirm.to.name} and cancel it?`,
        'Switch and cancel the export that runs?',
        'Switch and cancel the export?',
      ];
    case 'quit':
      return ['An export is running. Quit and cancel it?', 'Quit and cancel the export?'];
    case 'cancel-export':
      return [
        `Cancel the export? ${isSliced ? 'The slices that are verified are kept.' : 'What arrived stays in the .part file.'}`,
        'Cancel the export?',
      ];
    case 'replace-file': {
      const path = saving?.path ?? '';
      return [`${path} exists. Replace it?`, `${basename(path)} exists. Replace it?`, 'The file exists. Replace it?'];
    }
    case 'overwrite': {
      const path = wizard.check?.path ?? '';
      return [
        `${path} exists. Replace it when the new one is complete?`,
        `${basename(path)} exists. Replace it when the new one is complete?`,
        'The file exists. Replace it?',
      ];
    }
  }
}

/** One value, wrapped, nothing left out. */
export function drawValue(view: ValueView, columns: number, bodyRows: number): readonly Line[] {
  const lines = valueLines(view, columns);
  const rows = bodyRows - 1;
  const top = Math.min(view.top, Math.max(0, lines.length - rows));
  const place =
    lines.length > rows ? `   lines ${top + 1}-${Math.min(lines.length, top + rows)} of ${lines.length}` : '';
  return [
    [span(safeText` `), span(sanitize(view.title), 'strong'), span(sanitize(place), 'quiet')],
    ...lines.slice(top, top + rows).map((text): Line => [span(safeText`  `), span(text)]),
  ];
}
