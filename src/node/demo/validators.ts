import { seededHex } from './seeded-random.ts';

export interface Validator {
  readonly id: string;
  readonly name: string;
  /** The address of `signingKey` in lower case, as data nodes return it (node-behaviour.md section 1.5). */
  readonly ethereumAddress: string;
}

type Facts = readonly [name: string, ethereumAddress: string];

/** The addresses are constants because the curve is loaded only for signatures. */
const FACTS: readonly [Facts, ...Facts[]] = [
  ['Ashgrove', '0x5c53f66e23d978bcd11663af2d8ee3601d152d36'],
  ['Bryndal', '0xc7e4efb6971d6c5ce2d8cb78a25f598f76157f64'],
  ['Cartwheel', '0x70991d6b8b479a2886417b03ac8b667032b7fa24'],
  ['Dunlin', '0x5d67ecc1e4f635246b15e2d5043b5252b6b234c4'],
  ['Eiderdown', '0xb64182cc7812b4b0848d4ca3f6a390eaa5865254'],
  ['Farolito', '0xee8f1b680f9cd65e659508a1f2f743a4fdc2654e'],
  ['Gannet', '0x294896569fa0d59f31901ed05d68334a665c84ca'],
  ['Hollow Oak', '0x2d80c59680612b10e13c7c0c5c8a9e6999d95f1b'],
];

/** The private key of a demo validator, in 64 hexadecimal digits. It protects nothing. */
export const signingKey = (name: string): string => seededHex(`demo validator ${name}`);

export function createValidators(seed: string): readonly [Validator, ...Validator[]] {
  const validator = ([name, ethereumAddress]: Facts): Validator => ({
    id: seededHex(`${seed}/validator/${name}`),
    name,
    ethereumAddress,
  });
  const [first, ...others] = FACTS;
  return [validator(first), ...others.map(validator)];
}
