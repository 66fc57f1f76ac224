import type { Told } from './told.ts';

/** What is to be said when one thing has become another: nothing twice. */
export function newsOf(before: Told | undefined, after: Told): readonly string[] {
  const place = after.place.filter((text, index) => text !== '' && text !== before?.place[index]);
  const known = new Set(before?.lines);
  const lines = after.lines.filter(text => !known.has(text));
  const isSelectedNew = after.selected !== before?.selected && !lines.includes(after.selected);
  return [
    ...place,
    ...lines,
    ...(after.selected !== '' && isSelectedNew ? [after.selected] : []),
    ...typedNews(before, after),
  ];
}

/** While somebody types, that alone: the rest is said when the field is left. */
export const typedNews = (before: Told | undefined, { problem, notice }: Told): readonly string[] => [
  ...(problem === '' || problem === before?.problem ? [] : [problem]),
  ...(notice === null || notice === before?.notice ? [] : [notice.text]),
];
