import { isAddress } from '../../api/request.ts';
import { MOMENT_FORMS, momentNamed } from '../../record/named-moment.ts';
import { type Context, EMBEDDED, profileTarget, type Target, targetOf } from '../context.ts';
import type { Given } from '../options.ts';
import { UsageError } from '../usage-error.ts';

/** What one side of a comparison is to be. */
export type Operand =
  | { readonly kind: 'snapshot'; readonly name: string }
  | { readonly kind: 'node'; readonly name: string; readonly target: Target };

/**
 * Reads an operand: a number is the id of a snapshot; a time is the last snapshot until then; anything else is a node.
 * Throws UsageError.
 */
export async function operandNamed(name: string, given: Given, context: Context): Promise<Operand> {
  return isMoment(name) ? { kind: 'snapshot', name } : nodeNamed(name, given, context);
}

/** Whether it names a snapshot, by its id or a time. */
export const isMoment = (name: string): boolean =>
  /^\d{1,15}$/.test(name) || momentNamed(name, Date.now()) !== undefined;

/** A profile, an address, or `demo`. Throws UsageError. */
export async function nodeNamed(name: string, given: Given, context: Context) {
  // A word that is neither would be taken for a host, and a mistyped time is likelier.
  if (!isAddress(name) && name !== EMBEDDED.label && profileTarget(await context.settings(), name) === undefined)
    throw new UsageError(
      `"${name}" is no snapshot, time, profile or address. A side is a snapshot id, ${MOMENT_FORMS}, a profile, or an address such as http://node:3008.`,
    );
  const text = (flag: string) => (flag === 'node' ? name : given.text(flag));
  const target = await targetOf({ ...given, text, has: flag => flag !== 'demo' && given.has(flag) }, context);
  return { kind: 'node', name, target } as const;
}

/** The node of --node, --demo or the settings. */
export async function chosenNode(given: Given, context: Context): Promise<Operand & { readonly kind: 'node' }> {
  return { kind: 'node', name: '', target: await targetOf(given, context) };
}
