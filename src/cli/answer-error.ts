import type { AnswerError } from '../answers/index.ts';

/** Known by its name: the class is loaded with the answers, which most commands never need. */
export const isAnswerError = (error: unknown): error is AnswerError =>
  error instanceof Error && error.name === 'AnswerError';
