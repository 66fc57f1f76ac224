// Created on first use, since it takes milliseconds.
let segmenter: Intl.Segmenter | undefined;

/** The user-perceived characters of a text, and where each begins. */
export function clusters(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}
