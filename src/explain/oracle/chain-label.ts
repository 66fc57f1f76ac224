/** A name of the chain beside what it names: as much of it as leaves room for that. */
export function chainLabel(name: string): string {
  if (name === '') return 'a value without a name';
  return name.length > LONGEST ? `${name.slice(0, LONGEST)}\u2026` : name;
}

const LONGEST = 40;
