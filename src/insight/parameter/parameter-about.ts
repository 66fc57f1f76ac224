import { boundsInWords, outsideOfBounds } from './bounds.ts';
import { FACTS_OF, unknownInWords } from './known-parameter.ts';
import { parameterGroup } from './parameter-group.ts';
import { parameterMeaning } from './parameter-meaning.ts';

/** The meaning and bounds of a parameter in a line or two: `length: Length of an epoch. 1 s to 10 d 15 h.` */
export function parameterAbout(key: string, value: string): string {
  const meaning = parameterMeaning(key, value);
  const { fact, basis } = meaning;
  const { name: whole } = parameterGroup(key);
  const name = whole.length > LONGEST_NAME ? `${whole.slice(0, LONGEST_NAME)}\u2026` : whole;
  if (fact === undefined) {
    const guess = basis === 'name' ? '; its unit is guessed from its name' : '';
    return `${name}: ${unknownInWords(key)}${guess}`;
  }
  const bounds = boundsInWords(fact);
  const rest =
    outsideOfBounds(meaning, value) !== '' ? `Outside what a vote may set in ${FACTS_OF}: ${bounds}.` : capital(bounds);
  return `${name}: ${fact.meaning}${rest === '' ? '' : ` ${rest}`}`;
}

const LONGEST_NAME = 100;

const capital = (text: string): string => (text === '' ? '' : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`);
