import type { Notice } from '../../core/action.ts';
import type { Message, ScreenContext, Step } from '../../core/screen.ts';
import { open, type PromptOpening } from '../../openings.ts';
import type { AnswerRequest } from '../../services/tables.ts';
import type { OpenTable, TableView, Viewer, ViewerFiles } from './state.ts';

// Results of an event: the building blocks for updates of the viewer.

export const viewerNotice = (viewer: Viewer, text: string, tone: Notice['tone'] = 'info'): Step<Viewer> => ({
  state: viewer,
  messages: [{ type: 'noticed', text, tone }],
});

export const withFiles = (viewer: Viewer, files: ViewerFiles): Step<Viewer> => ({ state: { ...viewer, files } });

export function withView({ viewer, tables }: OpenTable, view: TableView, messages?: readonly Message[]) {
  const isSame = viewer.files.status === 'open' && viewer.files.view === view;
  const state: Viewer = isSame ? viewer : { ...viewer, files: { status: 'open', tables, view } };
  return messages === undefined ? { state } : { state, messages };
}

/** Like `withView`, with a new id for what the change requests. */
export function withRequestId(known: OpenTable, change: (id: number) => TableView): Step<Viewer> {
  const id = known.view.requests + 1;
  return withView(known, { ...change(id), requests: id });
}

/** Reopens the files, or opens another answer from them. */
export const reopenViewer = (viewer: Viewer, question: AnswerRequest | null): Step<Viewer> => ({
  state: {
    ...viewer,
    opening: { ...viewer.opening, question },
    attempt: viewer.attempt + 1,
    files: { status: 'opening', progress: null },
  },
});

/** Asks for a line of text. */
export const openPromptStep = (viewer: Viewer, prompt: PromptOpening): Step<Viewer> => ({
  state: viewer,
  messages: [open('prompt', prompt)],
});

/** Its tab is. */
export const isViewerTabShown = ({ shared }: ScreenContext): boolean => shared.tab === 'history';
