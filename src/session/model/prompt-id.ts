import type { ListPromptId } from './browse-event.ts';

/** What is typed in one line. */
export type PromptId = 'party' | 'command' | 'save' | ListPromptId;
