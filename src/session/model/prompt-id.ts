/** What is typed in one line. */
export type PromptId = 'find' | 'inspector-find' | 'viewer-find' | 'party' | 'command' | 'page-size' | 'save';
