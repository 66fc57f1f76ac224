import { looksLikeId } from '../../base/text/ids.ts';
import { type SafeText, safeText, sanitize } from '../../base/text/safe-text.ts';
import { truncateMiddle } from '../../base/text/width.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, jsonText, parseJson } from '../../chain/api/json.ts';
import type { Counted } from '../../chain/directory/counted.ts';
import { REWARD_ASSET, STAKE, unitOf } from '../../chain/directory/counted.ts';
import { type Directory, NO_NAMES, nameOf } from '../../chain/directory/directory.ts';
import { namesIn } from '../../chain/directory/fetch-directory.ts';
import { mergedNames } from '../../chain/directory/merged-names.ts';
import { groupDigits, scaled } from '../../chain/insight/decimal.ts';
import { type Kind, lookOf } from '../../chain/insight/kind.ts';
import { parameterMeaning } from '../../chain/insight/parameter/parameter-meaning.ts';
import { utcTime } from '../../chain/insight/time.ts';
import type { Row } from '../../chain/resources/resource.ts';
import { hiddenDifference } from './hidden-difference.ts';
import { rulesOf } from './list-rules.ts';
import { allMembers } from './member-changes.ts';
import type { ChangeKind, MemberChange, RecordChange, Side } from './side.ts';

/** What values are shown with: the names and decimals in the records of both sides. */
export interface ShownWith {
  readonly directory: Directory;
}

/** Read from the records that are compared, so that it takes no request. The later side wins. */
export function shownWith(a: Side, b: Side, known: Directory = NO_NAMES): ShownWith {
  const rows = (list: string): readonly JsonObject[] => {
    const of = [a, b].map(side => side.lists.find(one => one.list === list));
    return of.flatMap(one => (one?.kind === 'read' ? one.records.flatMap(record => rowIn(record)) : []));
  };
  const parts = { markets: rows('markets'), assets: rows('assets'), nodes: rows('validators') };
  const { markets } = namesIn('markets', parts.markets.toReversed());
  const { assets } = namesIn('assets', parts.assets.toReversed());
  const { validators } = namesIn('nodes', parts.nodes.toReversed());
  const names = {
    ...(markets !== undefined && { markets }),
    ...(assets !== undefined && { assets }),
    ...(validators !== undefined && { validators }),
    rewardAsset: jsonText(rows('parameters').findLast(({ key }) => key === REWARD_ASSET)?.value),
  };
  return { directory: mergedNames(known, names) };
}

function rowIn(record: string): readonly JsonObject[] {
  try {
    const value = parseJson(record);
    return isJsonObject(value) ? [value] : [];
  } catch {
    return [];
  }
}

/** What record it is, in names: `HELDA/HUSD, epoch 41`, `c4ce..6b9c on HELDA/HUSD`. */
export function subjectOf({ resource, key, before, after }: RecordChange, { directory }: ShownWith): SafeText {
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

/** A member, and its two values in their units; '' where it is not there. */
export interface ShownMember {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

/** The members of a change as people read them; of an added or removed record those that its list is opened for. */
export function shownMembers(change: RecordChange, shown: ShownWith): readonly ShownMember[] {
  const { change: what, before, after } = change;
  if (what === 'changed') return change.members.flatMap(unfolded).map(member => shownMember(change, member, shown));
  const text = recordWords(change, shown);
  return [{ path: '', from: after === null ? text : '', to: before === null ? text : '' }];
}

/** The members of an object that only one side has. */
function unfolded(member: MemberChange): readonly MemberChange[] {
  const { from, to, path, pattern } = member;
  const object = from === null ? to : to === null ? from : null;
  if (!isJsonObject(object) || Object.keys(object).length === 0) return [member];
  return allMembers(object, from === null ? 'to' : 'from')
    .map(inner => ({ ...inner, path: joined(path, inner.path), pattern: joined(pattern, inner.pattern) }))
    .flatMap(unfolded)
    .filter(inner => !isEmpty(inner.from) || !isEmpty(inner.to));
}

const joined = (path: string, rest: string): string => (path === '' ? rest : `${path}.${rest}`);

const isEmpty = (value: Json): boolean => value === null || value === '' || (isJsonArray(value) && value.length === 0);

function shownMember(change: RecordChange, { path, pattern, from, to }: MemberChange, shown: ShownWith): ShownMember {
  const { before, after } = change;
  const rows = [before ?? after ?? {}, after ?? before ?? {}] as const;
  const values = [from, to] as const;
  const words = rows.map((row, index) =>
    valueInWords(change.resource, { row, pattern, value: values[index] ?? null }, shown),
  );
  const [one = '', other = ''] = words;
  const hidden = hiddenDifference(jsonText(from), jsonText(to));
  if (hidden !== undefined) return { path, from: hidden[0], to: hidden[1] };
  // Two values with the same words are shown as they were sent.
  return one === other ? { path, from: asSent(from), to: asSent(to) } : { path, from: one, to: other };
}

const asSent = (value: Json): string => (value === null ? '(none)' : value === '' ? '""' : jsonText(value));

interface Valued {
  readonly row: Row;
  readonly pattern: string;
  readonly value: Json;
}

function valueInWords(list: string, { row, pattern, value }: Valued, shown: ShownWith): string {
  if (value === null || value === '' || isJsonObject(value) || isJsonArray(value)) return asSent(value);
  const text = jsonText(value);
  const { directory } = shown;
  if (list === 'parameters' && pattern === 'value') {
    const { words } = parameterMeaning(jsonText(row.key), text, unitOf(directory, STAKE));
    return words === '' || words === text || isSummary(text) ? text : `${words} (${text})`;
  }
  const rules = rulesOf(list);
  const kind = own(rules?.kindsOf(row), pattern);
  const counted = own(rules?.resource?.units, pattern)?.(row);
  if (kind === 'amount') return amountInWords(text, countedIn(list, row) ?? counted, directory);
  const entity = own(rules?.resource?.entities, pattern);
  const name = entity === undefined ? undefined : nameOf(directory, entity, text);
  if (name !== undefined) return `${name} (${text})`;
  return kind === undefined ? text : kindInWords(kind, text);
}

/** `3 members` does not say what changed in a document. */
const isSummary = (text: string): boolean => /^\s*[[{]/.test(text);

function countedIn(list: string, row: Row): Counted | undefined {
  if (list === 'assets') return { of: 'asset', id: jsonText(row.id) };
  return list === 'providers' ? { of: 'market', id: jsonText(row.marketId) } : undefined;
}

function amountInWords(raw: string, counted: Counted | undefined, directory: Directory): string {
  const unit = counted === undefined ? undefined : unitOf(directory, counted);
  const value = unit === undefined ? undefined : scaled(raw, unit.decimals);
  if (unit === undefined || value === undefined) return groupDigits(raw);
  return `${groupDigits(value)} ${unit.symbol}`.trimEnd();
}

// An age would be another at each run.
const kindInWords = (kind: Kind, text: string): string =>
  kind === 'time' ? utcTime(text) : kind === 'json' ? text : lookOf(kind).short(text, 0);

const own = <Value>(table: { readonly [path: string]: Value } | undefined, path: string): Value | undefined =>
  table !== undefined && Object.hasOwn(table, path) ? table[path] : undefined;

/** `removed: 8 h`, `only in a: 8 h`, `8 h -> 24 h`. */
export function changeWords({ change }: Pick<RecordChange, 'change'>, { from, to }: Omit<ShownMember, 'path'>): string {
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
function recordWords({ resource, before, after }: RecordChange, shown: ShownWith): string {
  const row = after ?? before ?? {};
  const columns = rulesOf(resource)?.resource?.columns.filter(({ isAnswer }) => isAnswer !== undefined) ?? [];
  const { directory } = shown;
  return columns
    .flatMap(({ title, kind, entity, value, unit, id }) => {
      const text = value(row);
      if (resource === 'parameters')
        return id === 'words'
          ? parameterMeaning(jsonText(row.key), jsonText(row.value), unitOf(directory, STAKE)).words ||
              jsonText(row.value)
          : [];
      // The subject says the ids already.
      if (text === '' || entity !== undefined || kind === 'name') return [];
      const words = kind === 'amount' ? amountInWords(text, unit?.(row), directory) : kindInWords(kind, text);
      return `${title.toLowerCase()} ${words}`;
    })
    .join(', ');
}
