/** A name from the chain as a label, cut to leave room for the text. */
export function chainLabel(name: string): string {
  if (name === '') return 'an unnamed value';
  return name.length > LONGEST ? `${name.slice(0, LONGEST)}\u2026` : name;
}

const LONGEST = 40;
