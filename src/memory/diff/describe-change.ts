import { looksLikeId } from '../../base/text/ids.ts';
import { type SafeText, safeText, sanitize } from '../../base/text/safe-text.ts';
import { utcTime } from '../../base/text/time.ts';
import { truncateMiddle } from '../../base/text/width.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, jsonText, parseJson } from '../../chain/api/json.ts';
import type { Denomination } from '../../chain/directory/denomination.ts';
import { REWARD_ASSET, STAKE_DENOMINATION, unitOfDenomination } from '../../chain/directory/denomination.ts';
import { type Directory, NO_NAMES, nameOf } from '../../chain/directory/directory.ts';
import { readNames } from '../../chain/directory/fetch-directory.ts';
import { mergeNames } from '../../chain/directory/merge-names.ts';
import { groupDigits, toWholeUnits } from '../../chain/insight/decimal.ts';
import { type Kind, kindFormat } from '../../chain/insight/kind.ts';
import { parameterMeaning } from '../../chain/insight/parameter/parameter-meaning.ts';
import type { Row } from '../../chain/resources/resource.ts';
import { hiddenDifference } from './hidden-difference.ts';
import { findListRules } from './list-rules.ts';
import { oneSidedMembers } from './member-changes.ts';
import type { ChangeKind, MemberChange, RecordChange, Side } from './side.ts';

/** What values are shown with: the names and decimals in the records of both sides. */
export interface DisplayContext {
  readonly directory: Directory;
}

/** Read from the records that are compared, so that it takes no request. The later side wins. */
export function createDisplayContext(a: Side, b: Side, known: Directory = NO_NAMES): DisplayContext {
  const rows = (list: string): readonly JsonObject[] => {
    const of = [a, b].map(side => side.lists.find(one => one.list === list));
    return of.flatMap(one => (one?.kind === 'read' ? one.records.flatMap(record => parseRow(record)) : []));
  };
  const parts = { markets: rows('markets'), assets: rows('assets'), nodes: rows('validators') };
  const { markets } = readNames('markets', parts.markets.toReversed());
  const { assets } = readNames('assets', parts.assets.toReversed());
  const { validators } = readNames('nodes', parts.nodes.toReversed());
  const names = {
    ...(markets !== undefined && { markets }),
    ...(assets !== undefined && { assets }),
    ...(validators !== undefined && { validators }),
    rewardAsset: jsonText(rows('parameters').findLast(({ key }) => key === REWARD_ASSET)?.value),
  };
  return { directory: mergeNames(known, names) };
}

function parseRow(record: string): readonly JsonObject[] {
  try {
    const value = parseJson(record);
    return isJsonObject(value) ? [value] : [];
  } catch {
    return [];
  }
}

/** What record it is, in names: `HELDA/HUSD, epoch 41`, `c4ce..6b9c on HELDA/HUSD`. */
export function recordTitle({ resource, key, before, after }: RecordChange, { directory }: DisplayContext): SafeText {
  const row = after ?? before ?? {};
  const named = (entity: Parameters<typeof nameOf>[1], value: Json | undefined): SafeText => {
    const id = jsonText(value);
    return nameOf(directory, entity, id) ?? shortId(id);
  };
  switch (resource) {
    case 'provisions':
    case 'providers':
      return safeText`${named('party', row.partyId)} on ${named('market', row.marketId)}`;
    case 'fees':
      return safeText`${named('market', row.market)}, epoch ${sanitize(jsonText(row.epochSeq))}`;
    case 'markets':
      return named('market', row.id);
    case 'assets':
      return named('asset', row.id);
    case 'validators':
      return named('node', row.id);
    case 'bundles': {
      const signer = named('submitter', row.oldSigner);
      return safeText`${signer}, by ${named('submitter', row.submitter)}, nonce ${sanitize(jsonText(row.nonce))}`;
    }
    case 'oracles':
      return key === '' ? sanitize('(no id)') : shortId(key);
    default:
      return sanitize(key);
  }
}

const shortId = (id: string): SafeText => (looksLikeId(id) ? truncateMiddle(sanitize(id), 10) : sanitize(id));

/** A member, and its two values in their units; '' if it is missing. */
export interface DisplayedMember {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

/** The members of a change as people read them; of an added or removed record those that its list is opened for. */
export function displayMembers(change: RecordChange, shown: DisplayContext): readonly DisplayedMember[] {
  const { change: what, before, after } = change;
  if (what === 'changed')
    return change.members.flatMap(expandMembers).map(member => displayMember(change, member, shown));
  const text = describeRecord(change, shown);
  return [{ path: '', from: after === null ? text : '', to: before === null ? text : '' }];
}

/** The members of an object that only one side has. */
function expandMembers(member: MemberChange): readonly MemberChange[] {
  const { from, to, path, pattern } = member;
  const object = from === null ? to : to === null ? from : null;
  if (!isJsonObject(object) || Object.keys(object).length === 0) return [member];
  return oneSidedMembers(object, from === null ? 'to' : 'from')
    .map(inner => ({ ...inner, path: joinPath(path, inner.path), pattern: joinPath(pattern, inner.pattern) }))
    .flatMap(expandMembers)
    .filter(inner => !isEmpty(inner.from) || !isEmpty(inner.to));
}

const joinPath = (path: string, rest: string): string => (path === '' ? rest : `${path}.${rest}`);

const isEmpty = (value: Json): boolean => value === null || value === '' || (isJsonArray(value) && value.length === 0);

function displayMember(
  change: RecordChange,
  { path, pattern, from, to }: MemberChange,
  shown: DisplayContext,
): DisplayedMember {
  const { before, after } = change;
  const rows = [before ?? after ?? {}, after ?? before ?? {}] as const;
  const values = [from, to] as const;
  const words = rows.map((row, index) =>
    displayValue(change.resource, { row, pattern, value: values[index] ?? null }, shown),
  );
  const [one = '', other = ''] = words;
  const hidden = hiddenDifference(jsonText(from), jsonText(to));
  if (hidden !== undefined) return { path, from: hidden[0], to: hidden[1] };
  // Two values that read the same are shown as sent.
  return one === other ? { path, from: rawText(from), to: rawText(to) } : { path, from: one, to: other };
}

const rawText = (value: Json): string => (value === null ? '(none)' : value === '' ? '""' : jsonText(value));

interface Valued {
  readonly row: Row;
  readonly pattern: string;
  readonly value: Json;
}

function displayValue(list: string, { row, pattern, value }: Valued, shown: DisplayContext): string {
  if (value === null || value === '' || isJsonObject(value) || isJsonArray(value)) return rawText(value);
  const text = jsonText(value);
  const { directory } = shown;
  if (list === 'parameters' && pattern === 'value') {
    const { words } = parameterMeaning(jsonText(row.key), text, unitOfDenomination(directory, STAKE_DENOMINATION));
    return words === '' || words === text || isJsonDocument(text) ? text : `${words} (${text})`;
  }
  const rules = findListRules(list);
  const kind = ownEntry(rules?.kindsOf(row), pattern);
  const counted = ownEntry(rules?.resource?.units, pattern)?.(row);
  if (kind === 'amount') return amountInWords(text, countedUnitOf(list, row) ?? counted, directory);
  const entity = ownEntry(rules?.resource?.entities, pattern);
  const name = entity === undefined ? undefined : nameOf(directory, entity, text);
  if (name !== undefined) return `${name} (${text})`;
  return kind === undefined ? text : displayKind(kind, text);
}

/** `3 members` does not show the change in a document. */
const isJsonDocument = (text: string): boolean => /^\s*[[{]/.test(text);

function countedUnitOf(list: string, row: Row): Denomination | undefined {
  if (list === 'assets') return { of: 'asset', id: jsonText(row.id) };
  return list === 'providers' ? { of: 'market', id: jsonText(row.marketId) } : undefined;
}

function amountInWords(raw: string, counted: Denomination | undefined, directory: Directory): string {
  const unit = counted === undefined ? undefined : unitOfDenomination(directory, counted);
  const value = unit === undefined ? undefined : toWholeUnits(raw, unit.decimals);
  if (unit === undefined || value === undefined) return groupDigits(raw);
  return `${groupDigits(value)} ${unit.symbol}`.trimEnd();
}

// An age would be another at each run.
const displayKind = (kind: Kind, text: string): string =>
  kind === 'time' ? utcTime(text) : kind === 'json' ? text : kindFormat(kind).short(text, 0);

const ownEntry = <Value>(table: { readonly [path: string]: Value } | undefined, path: string): Value | undefined =>
  table !== undefined && Object.hasOwn(table, path) ? table[path] : undefined;

/** `removed: 8 h`, `only in a: 8 h`, `8 h -> 24 h`. */
export function describeChange(
  { change }: Pick<RecordChange, 'change'>,
  { from, to }: Omit<DisplayedMember, 'path'>,
): string {
  if (change === 'changed') return `${from} -> ${to}`;
  const text = from === '' ? to : from;
  return text === '' ? CHANGE_WORDS[change] : `${CHANGE_WORDS[change]}: ${text}`;
}

const CHANGE_WORDS = {
  added: 'added',
  removed: 'removed',
  'only-in-a': 'only in a',
  'only-in-b': 'only in b',
} as const satisfies { readonly [change in Exclude<ChangeKind, 'changed'>]: string };

/** A record that only one side has: the columns that its list is opened for. */
function describeRecord({ resource, before, after }: RecordChange, shown: DisplayContext): string {
  const row = after ?? before ?? {};
  const columns = findListRules(resource)?.resource?.columns.filter(({ isAnswer }) => isAnswer !== undefined) ?? [];
  const { directory } = shown;
  return columns
    .flatMap(({ title, kind, entity, value, unit, id }) => {
      const text = value(row);
      if (resource === 'parameters')
        return id === 'words'
          ? parameterMeaning(jsonText(row.key), jsonText(row.value), unitOfDenomination(directory, STAKE_DENOMINATION))
              .words || jsonText(row.value)
          : [];
      // The subject already contains the ids.
      if (text === '' || entity !== undefined || kind === 'name') return [];
      const words = kind === 'amount' ? amountInWords(text, unit?.(row), directory) : displayKind(kind, text);
      return `${title.toLowerCase()} ${words}`;
    })
    .join(', ');
}
