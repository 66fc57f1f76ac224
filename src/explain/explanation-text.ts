import { labelled } from '../resources/record-text.ts';
import { EMPTY, joinSafe, type SafeText, safeLine, safeText, sanitize } from '../text/safe-text.ts';
import type { Explanation } from './explanation.ts';

/** Every part, including folded ones, uncut. */
export function explanationText({ parts }: Explanation): SafeText {
  const texts = parts.map(({ title, lines }) => {
    const indent = title === '' ? EMPTY : safeText`  `;
    const heading = title === '' ? EMPTY : safeLine(title);
    const printed = lines.map(({ label, text }) => {
      const line = label === '' ? safeLine(text) : labelled(label, sanitize(text));
      return safeText`${indent}${line}`;
    });
    return safeText`${heading}${joinSafe(printed)}`;
  });
  return joinSafe(texts, safeText`\n`);
}
