import { resourceById } from '../../resources/registry.ts';
import { isTyping, modeOf } from '../../session/model/mode.ts';
import type { SessionState } from '../../session/model/state.ts';

/** What is typed now; '' where nothing is. */
export function fieldLabel(state: SessionState): string {
  const mode = modeOf(state);
  if (!isTyping(mode)) return '';
  const { overlay, tab, browsers, wizard } = state;
  switch (mode) {
    case 'prompt':
      return overlay?.kind === 'prompt' ? PROMPTS[overlay.id] : '';
    case 'menu-filter':
      return 'filter this list';
    case 'filters': {
      const draft = browsers[tab]?.draft;
      const title = resourceById(tab)?.filters[draft?.field ?? 0]?.title ?? '';
      return `filter ${title}`;
    }
    case 'export-range':
      return wizard.field === 'from' ? 'first block' : 'last block';
    case 'export-destination':
      return 'folder or file';
  }
}

const PROMPTS = {
  find: 'find in the loaded rows',
  'inspector-find': 'find in the record',
  'viewer-find': 'find in all rows',
  party: 'party',
  command: 'command',
  'page-size': 'rows a page',
  save: 'save as',
} as const;
