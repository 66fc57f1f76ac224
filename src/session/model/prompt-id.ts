/** What is typed in one line. */
export type PromptId = 'find' | 'inspector-find' | 'party' | 'command' | 'page-size' | 'save';
