// Made when first needed: it takes milliseconds that the start does not have.
let segmenter: Intl.Segmenter | undefined;

/** What a person takes for one character each, and where it begins. */
export function clusters(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}
