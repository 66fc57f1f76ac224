import type { WhatAnswer } from './what.ts';

/** The sentence for a value that was not found: it matters whether anything could be checked. */
export const nothingKnown = ({ notFound }: Pick<WhatAnswer, 'notFound'>): string =>
  notFound.length === 0 ? 'not known: nothing could be checked' : 'not found in anything that was checked';
