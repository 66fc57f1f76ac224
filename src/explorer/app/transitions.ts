import { resourceById } from '../../resources/registry.ts';
import type { Resource } from '../../resources/resource.ts';
import { layersOfTabs } from '../core/layer.ts';
import type { Notice, RefusedKey } from '../core/notice.ts';
import type { SessionState } from '../core/state.ts';
import type { CopyContent } from '../services/copying/content.ts';
import { tellRoots } from './layers.ts';
import { proposedName } from './proposed-name.ts';

export const withNotice = (
  state: SessionState,
  text: string,
  tone: Notice['tone'] = 'info',
  refused?: RefusedKey,
): SessionState => ({
  ...state,
  notice: { text, tone, ...(refused !== undefined && { refused }) },
});

/** Wishes for a text to be put on the clipboard. */
export const withCopyOf = (state: SessionState, what: string, content: CopyContent): SessionState => ({
  ...state,
  ticket: state.ticket + 1,
  copying: { requestId: state.ticket + 1, content, what, file: fileFor(state, what, content) },
});

/** What a file is called that holds it, where it is too large for a clipboard. */
function fileFor(state: SessionState, what: string, content: CopyContent): string {
  switch (content.kind) {
    case 'rows':
    case 'statement':
    case 'figures':
    case 'requests':
    case 'table-rows':
    case 'records':
      return proposedName(state, content.form);
    case 'json':
      return proposedName(state, 'json', what);
    case 'text':
    case 'record':
    case 'screen':
      return proposedName(state, 'txt', what);
  }
}

/** Shows a tab. */
export function arriveAtTab(state: SessionState, tab: string, isAgain = false): SessionState {
  const arrived = { ...state, tab, layers: layersOfTabs(state) };
  return tellRoots(arrived, id => (id === tab ? { type: 'arrived', isAgain } : undefined));
}

/** Shows a tab with nothing over it. */
export const toRoot = (state: SessionState, tab: string): SessionState =>
  arriveAtTab({ ...state, layers: state.layers.filter(layer => layer.isRoot || layer.tab !== tab) }, tab);

export const resourceOf = (state: SessionState): Resource | undefined => resourceById(state.tab);
