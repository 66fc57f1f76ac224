import type { WhatAnswer } from './what.ts';

/** Said of a value that is nothing here: it makes a difference whether anything could be looked through. */
export const nothingKnown = ({ notFound }: Pick<WhatAnswer, 'notFound'>): string =>
  notFound.length === 0 ? 'not known: nothing could be checked' : 'not found in anything that was checked';
