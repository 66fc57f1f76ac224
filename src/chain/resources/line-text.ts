import { type SafeText, safeText, sanitize } from '../../base/text/safe-text.ts';
import { type Denomination, unitOfDenomination } from '../directory/denomination.ts';
import { type Directory, nameOf } from '../directory/directory.ts';
import { groupDigits, toWholeUnits } from '../insight/decimal.ts';
import { longText } from '../insight/kind.ts';
import { isBranch, isScalar, nodeText, type TreeNode } from './tree.ts';

/** The text after the label of a record's line: nothing is rounded, and the value as sent is included. */
export function lineText(node: TreeNode, directory: Directory, nowMs: number): SafeText {
  const name = nameOnLine(node, directory);
  const text = valueOnLine(node, directory, nowMs);
  return name === undefined ? text : safeText`${name}  ${text}`;
}

/** The name of the id on a line, shown before it. */
export function nameOnLine({ entity, value }: TreeNode, directory: Directory): SafeText | undefined {
  return entity === undefined || entity === 'epoch' || typeof value !== 'string'
    ? undefined
    : nameOf(directory, entity, value);
}

/** Only the value; an amount in its unit and as sent. */
export function valueOnLine(node: TreeNode, directory: Directory, nowMs: number): SafeText {
  const raw = nodeText(node);
  if (!isScalar(node.value) || isBranch(node)) return sanitize(raw);
  return node.counted === undefined ? longText(node.kind, raw, nowMs) : exactAmountText(raw, node.counted, directory);
}

/** An amount in its unit, exact, and as sent. */
export function exactAmountText(raw: string, counted: Denomination, directory: Directory): SafeText {
  const unit = unitOfDenomination(directory, counted);
  const value = unit === undefined ? undefined : toWholeUnits(raw, unit.decimals);
  if (unit === undefined || value === undefined)
    return safeText`${sanitize(groupDigits(raw))}${unknownUnit(raw, counted)}`;
  const symbol = unit.symbol === '' ? sanitize('') : safeText` ${unit.symbol}`;
  const shown = safeText`${sanitize(groupDigits(value))}${symbol}`;
  return value === raw ? shown : safeText`${shown}  (${sanitize(raw)})`;
}

const unknownUnit = (raw: string, { of }: Denomination): SafeText =>
  of === 'price' || toWholeUnits(raw, 0) === undefined ? safeText`` : safeText` smallest unit`;
