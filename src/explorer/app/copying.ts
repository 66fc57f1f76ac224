import type { Choice } from '../core/choice.ts';
import type { SessionState } from '../core/state.ts';
import type { CopyContent } from '../services/copying/content.ts';
import { topScreen } from './open-screens.ts';
import { proposedFileName } from './saving.ts';

/** The items that can be copied from the current screen. Long content has a name, and is made when it is chosen. */
export function copyItems(state: SessionState): readonly Choice[] {
  const top = topScreen(state);
  const copies = top?.screen.output?.copies(top.layer.state, top.context);
  return (copies ?? []).map(({ label, detail, content }) => ({
    mark: '',
    label,
    detail,
    action: { type: 'copy', what: label, content },
  }));
}

/** Asks for a text to be put on the clipboard. */
export const requestCopy = (state: SessionState, what: string, content: CopyContent): SessionState => ({
  ...state,
  lastId: state.lastId + 1,
  copying: { requestId: state.lastId + 1, content, what, file: copyFileName(state, what, content) },
});

/** What a file is called that holds it, where it is too large for a clipboard. */
function copyFileName(state: SessionState, what: string, content: CopyContent): string {
  switch (content.kind) {
    case 'rows':
    case 'statement':
    case 'figures':
    case 'requests':
    case 'table-rows':
    case 'records':
      return proposedFileName(state, content.form);
    case 'json':
      return proposedFileName(state, 'json', what);
    case 'text':
    case 'record':
    case 'screen':
      return proposedFileName(state, 'txt', what);
  }
}
