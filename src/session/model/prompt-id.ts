/** What is typed in one line. */
export type PromptId = 'party' | 'command' | 'save';
