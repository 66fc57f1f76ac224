import type { JsonObject } from '../../../src/chain/api/json.ts';
import { NO_NAMES } from '../../../src/chain/directory/directory.ts';
import { type Explanation, explanationText } from '../../../src/chain/explain/explanation.ts';
import { resourceById } from '../../../src/chain/resources/registry.ts';
import { drawInspector } from '../../../src/explorer/screens/browse/record/inspector-view.ts';

const COLUMNS = 80;

const layout = {
  ...{ bodyRows: 400, aboutRows: 0, tableRows: 0, tableColumns: 0, barRows: 0 },
  ...{ inspectorColumns: COLUMNS, inspectorRows: 400 },
};

/** Every line of an explanation, as the command prints it and as the inspector draws it with all parts unfolded. */
export function drawnTexts(id: string, row: JsonObject, explanation: Explanation): readonly string[] {
  const resource = resourceById(id);
  if (resource === undefined) return [];
  const lines = drawInspector(
    resource,
    {
      ...{ row, around: { filters: {}, rows: [row] }, receivedAtMs: 0, cursor: 0, top: 0, find: '', names: NO_NAMES },
      ...{ isRaw: false, columns: COLUMNS, meaning: { status: 'known', explanation, requestId: null } },
      folds: Object.fromEntries(explanation.parts.map((_, part) => [`[part ${part}]`, true])),
    },
    { layout, directory: NO_NAMES, nowMs: 0, isWholeMarked: false },
  );
  const drawn = lines.map(spans => spans.map(({ text }) => text).join(''));
  return [...explanationText(explanation).split('\n'), ...drawn];
}
