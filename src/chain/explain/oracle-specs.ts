import { joinWithAnd } from '../../base/text/join-words.ts';
import { isDate } from '../../base/text/time.ts';
import type { SpecUse } from '../directory/directory.ts';
import type { Tone } from '../insight/kind.ts';
import { normaliserText } from '../insight/oracle/abi.ts';
import { type DataArrival, nsToSeconds } from '../insight/oracle/arrival.ts';
import {
  CHAIN_TIME_PROPERTY,
  conditionText,
  requirementText,
  typeText,
  valueText,
} from '../insight/oracle/condition.ts';
import { type ContractCall, chainText } from '../insight/oracle/data-source.ts';
import { ignoredParts } from '../insight/oracle/delivery.ts';
import { type Schedule, scheduleText, scheduleWarning } from '../insight/oracle/schedule.ts';
import { watchesSentence } from '../insight/oracle/source-sentence.ts';
import {
  distanceText,
  periodInWords,
  readSeconds,
  secondsToUtc,
  timeAndDistance,
} from '../insight/oracle/unix-seconds.ts';
import type { Copyable, ExplainedLine, Explainer, ExplanationPart } from './explanation.ts';
import { dueLines, nextLine } from './oracle/due-lines.ts';
import {
  type CalledMethod,
  type KnownSpec,
  loadKnownSpec,
  namedArguments,
  sourceFilters,
  type UsingMarket,
} from './oracle/known-spec.ts';
import { specJson, unknownSentences } from './oracle/spec-json.ts';

/** An oracle spec in words: the watched value, where and when, its conditions, the markets using it, the last value. */
export const explainOracleSpec: Explainer = async (row, knowledge) => {
  const spec = await loadKnownSpec(row, knowledge);
  return {
    parts: [{ title: '', lines: headline(spec) }, ...unknownPart(spec), ...detailParts(spec), ...valueParts(spec)],
    json: specJson(spec),
    copies: copyableValues(spec),
  };
};

function unknownPart(spec: KnownSpec): readonly ExplanationPart[] {
  const lines = unknownSentences(spec).map((text): ExplainedLine => ({ label: '', text, tone: 'quiet' }));
  return lines.length === 0 ? [] : [{ title: 'What blockglass cannot check', lines }];
}

function copyableValues({ source, called, inChecksumCase }: KnownSpec): readonly Copyable[] {
  if (source.variant !== 'eth-oracle') return [];
  const method = called === undefined || 'problem' in called ? undefined : called;
  return [
    { what: 'contract address', text: inChecksumCase(source.address) },
    { what: 'method signature', text: method?.signature ?? '' },
    { what: 'selector', text: method?.selector ?? '' },
  ].filter(({ text }) => text !== '');
}

/** The first screen: the watched value and where, when it fires, its conditions, its markets, the last value. */
const headline = (spec: KnownSpec): readonly ExplainedLine[] => [
  { label: '', text: watchesSentence(spec.source) },
  statusLine(spec),
  ...whereLines(spec),
  ...(spec.source.variant === 'none' ? [] : [...firesLines(spec), ...dueLines(spec), nextLine(spec)]),
  ...mustHoldLines(spec),
  ...marketLines(spec),
  ...lastValueLine(spec),
];

function statusLine({ status, createdAt, now }: KnownSpec): ExplainedLine {
  const word = status.replace(/^STATUS_/, '');
  const since = nsToSeconds(createdAt) ?? 0n;
  const created = since === 0n ? '' : `, activated ${timeAndDistance(since, now)}`;
  return { label: 'status', text: `${word === '' ? 'not given' : word}${created}`, tone: TONES.get(word) ?? 'quiet' };
}

const TONES: ReadonlyMap<string, Tone> = new Map([['ACTIVE', 'good']]);

function whereLines({ source, called, inChecksumCase, nameOfSigner }: KnownSpec): readonly ExplainedLine[] {
  switch (source.variant) {
    case 'eth-oracle': {
      const method =
        called === undefined || 'problem' in called ? `${source.method}: ${called?.problem}` : called.declaration;
      return [
        contractLine(inChecksumCase(source.address), nameOfSigner({ kind: 'address', id: source.address })),
        { label: 'on', text: chainText(source.sourceChainId) },
        { label: 'method', text: method },
      ];
    }
    case 'oracle':
      return shortenList(source.signers, 'signers').map(signer =>
        typeof signer === 'string'
          ? { label: 'signer', text: signer, tone: 'quiet' }
          : {
              label: signer.kind === 'address' ? 'address' : 'signer',
              text:
                [nameOfSigner(signer) ?? '', inChecksumCase(signer.id)].filter(text => text !== '').join('  ') ||
                'not given',
              copied: inChecksumCase(signer.id),
            },
      );
    case 'time':
    case 'time-trigger':
    case 'none':
      return [];
  }
}

const contractLine = (address: string, name: string | undefined): ExplainedLine => ({
  label: 'contract',
  text: name === undefined ? address || 'not given' : `${name}  ${address}`,
  ...(address !== '' && { copied: address }),
});

function firesLines({ source, schedules }: KnownSpec): readonly ExplainedLine[] {
  if (source.variant === 'oracle')
    return [
      { label: 'fires', text: 'whenever a signer sends data; it has no schedule', short: 'when signers send data' },
    ];
  const warnings = [...new Set(schedules.map(scheduleWarning))].filter(text => text !== '').map(quiet);
  if (source.variant === 'time')
    return [
      { label: 'fires', text: 'at the first block that meets the condition', short: 'by its condition' },
      ...warnings,
    ];
  const { triggers } = ignoredParts(source);
  return [
    ...shortenList(schedules, 'triggers').map(schedule => ({
      label: 'fires',
      text: typeof schedule === 'string' ? schedule : scheduleText(schedule),
      ...(typeof schedule !== 'string' && { short: scheduleInBrief(schedule) }),
    })),
    ...warnings.slice(0, 1),
    ...(triggers === 0 ? [] : [quiet(`only the first trigger counts: the chain ignores ${triggers} more`)]),
  ];
}

/** How often, without the times that `next` tells. */
function scheduleInBrief(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'every':
    case 'sometime':
      return `every ${periodInWords(schedule.every)}`;
    case 'once':
    case 'exactly':
      return 'once';
    case 'never':
    case 'unreadable':
      return scheduleText(schedule);
  }
}

const quiet = (text: string): ExplainedLine => ({ label: '', text, tone: 'quiet' });

function mustHoldLines({ source }: KnownSpec): readonly ExplainedLine[] {
  const filters = sourceFilters(source);
  if (filters.length === 0)
    return source.variant === 'none' ? [] : [{ label: 'must hold', text: 'the spec has no conditions' }];
  const { conditions } = ignoredParts(source);
  const [ignored] = conditions;
  const more = conditions.length > 1 ? ` and ${conditions.length - 1} more` : '';
  return [
    ...shortenList(filters, 'values').map(filter => ({
      label: 'must hold',
      text: typeof filter === 'string' ? filter : requirementText(filter),
    })),
    ...(ignored === undefined
      ? []
      : [
          quiet(
            `only the first condition counts: the chain ignores ${conditionText(ignored, CHAIN_TIME_PROPERTY)}${more}`,
          ),
        ]),
  ];
}

/** The last value, as one line. */
function lastValueLine(spec: KnownSpec): readonly ExplainedLine[] {
  const { arrivals, source, now } = spec;
  if (arrivals === undefined) return [];
  const { value, errors, hasMore } = arrivals;
  const [error] = errors;
  const failed: readonly ExplainedLine[] =
    error === undefined ? [] : [{ label: 'last error', text: `${ageText(error, now)}: ${error.error}`, tone: 'bad' }];
  if (value !== undefined) {
    const wanted = watched(spec, value).map(({ name, value: sent }) => `${name} ${valueInWords(spec, name, sent)}`);
    const others = value.values.length - wanted.length;
    const words = [...wanted, ...(others > 0 ? [`${others} more`] : [])];
    const text = `${ageText(value, now)}: ${joinWithAnd(words) || 'no values'}`;
    return [{ label: 'last value', text, short: inMinutes(text) }, ...failed];
  }
  if (source.variant === 'none' && failed.length === 0) return [];
  const none = hasMore ? 'none among the newest data' : 'this node has none';
  return [{ label: 'last value', text: none, short: 'none', tone: 'quiet' }, ...failed];
}

/** Without the smaller one of the two units of an age. */
const inMinutes = (text: string): string => text.replace(/^(\d+ \S+) \d+ \S+ ago:/, '$1 ago:');

/** The last value in detail, and the errors since. */
function valueParts(spec: KnownSpec): readonly ExplanationPart[] {
  const { arrivals, now } = spec;
  if (arrivals === undefined) return [];
  const { value, errors } = arrivals;
  const parts: ExplanationPart[] = [];
  if (value !== undefined) {
    const values = value.values.slice(0, MAX_LINES).map(({ name, value: sent }) => ({
      label: chainLabel(name),
      text: valueInWords(spec, name, sent),
      copied: sent,
    }));
    parts.push({ title: 'Last value', lines: [...values, ...arrivalLines(spec, value)] });
  }
  if (errors.length > 0)
    parts.push({
      title: 'Errors since',
      lines: errors.map(error => ({ label: ageText(error, now), text: error.error, tone: 'bad' })),
    });
  return parts;
}

function arrivalLines({ inChecksumCase, nameOfSigner, now }: KnownSpec, value: DataArrival): readonly ExplainedLine[] {
  const at = nsToSeconds(value.broadcastAt);
  const arrived = at === undefined || at === 0n ? UNKNOWN_TIME : timeAndDistance(at, now);
  const lines: ExplainedLine[] = [{ label: 'arrived', text: arrived }];
  const block = readSeconds(value.sourceTime);
  const height = value.sourceHeight === '' ? '' : `, block ${value.sourceHeight} of the other chain`;
  if (block !== undefined && block !== 0n)
    lines.push({ label: 'read at', text: `${timeAndDistance(block, now)}${height}` });
  for (const signer of value.signers.slice(0, MAX_LINES)) {
    const name = nameOfSigner(signer);
    const id = inChecksumCase(signer.id);
    lines.push({ label: 'signed by', text: name === undefined ? id : `${name}  ${id}`, copied: id });
  }
  return lines;
}

/** The values the spec has conditions on, else the first ones. */
function watched({ properties }: KnownSpec, { values }: DataArrival): DataArrival['values'] {
  const named = values.filter(({ name }) => properties.has(name));
  return (named.length > 0 ? named : values).slice(0, MAX_VALUES_IN_LINE);
}

function valueInWords({ properties }: KnownSpec, name: string, value: string): string {
  const property = properties.get(name);
  return property === undefined ? value : valueText(value, property);
}

function ageText({ broadcastAt }: DataArrival, now: bigint): string {
  const at = nsToSeconds(broadcastAt);
  if (at === undefined || at === 0n) return UNKNOWN_TIME;
  return isDate(at) ? distanceText(at, now) : `at ${secondsToUtc(at)}`;
}

const UNKNOWN_TIME = 'at an unknown time';

const MAX_VALUES_IN_LINE = 3;

/** The content after the first screen: the call, every trigger, value, signer and market. */
const detailParts = (spec: KnownSpec): readonly ExplanationPart[] => [
  ...callParts(spec),
  ...folded('All conditions', sourceFilters(spec.source), filter => ({
    label: chainLabel(typeText(filter.key)),
    text: requirementText(filter),
  })),
  ...folded('All triggers', spec.schedules, schedule => ({ label: 'fires', text: scheduleText(schedule) })),
  ...folded('All signers', spec.source.variant === 'oracle' ? spec.source.signers : [], signer => ({
    label: signer.kind,
    text: [spec.nameOfSigner(signer) ?? '', spec.inChecksumCase(signer.id)].filter(text => text !== '').join('  '),
    copied: spec.inChecksumCase(signer.id),
  })),
  ...folded('All markets that use it', spec.markets ?? [], marketLine),
];

function callParts({ source, called, inChecksumCase }: KnownSpec): readonly ExplanationPart[] {
  if (source.variant !== 'eth-oracle' || called === undefined) return [];
  const { normalisers, requiredConfirmations } = source;
  const call: ExplainedLine[] = [...selectorLines(called), ...argumentLines(source, called)];
  const blocks = requiredConfirmations === '1' ? 'block' : 'blocks';
  const confirmations = requiredConfirmations === '' ? 'not given' : `${requiredConfirmations} ${blocks} of that chain`;
  call.push({ label: 'confirmations', text: confirmations });
  if (hasWrongChecksum(source.address, inChecksumCase(source.address)))
    call.push({ label: 'sent as', text: `${source.address}: checksum does not match`, tone: 'pending' });
  const method = 'problem' in called ? undefined : called.method;
  const values = normalisers.slice(0, MAX_LINES).map(normaliser => ({
    label: chainLabel(normaliser.name),
    text: normaliserText(normaliser, method),
  }));
  return [
    { title: 'Call', lines: call },
    ...(values.length === 0 ? [] : [{ title: 'Values from the result', lines: values }]),
  ];
}

function selectorLines(called: CalledMethod): readonly ExplainedLine[] {
  if ('problem' in called) return [];
  const { signature, selector } = called;
  if (signature === undefined || selector === undefined)
    return [{ label: 'selector', text: 'none: it has a type that nodes do not accept', tone: 'pending' }];
  return [
    { label: 'signature', text: signature },
    { label: 'selector', text: selector },
  ];
}

function argumentLines(call: ContractCall, called: CalledMethod): readonly ExplainedLine[] {
  const wanted = 'problem' in called ? call.args.length : called.method.inputs.length;
  const lines: ExplainedLine[] = namedArguments(call, called)
    .slice(0, MAX_LINES)
    .map(({ name, type, value }, index) => ({
      label: chainLabel([name, type].filter(text => text !== '').join(' ') || `argument ${index}`),
      text: value === '' ? '""' : value,
      copied: value,
    }));
  if (call.args.length !== wanted)
    lines.push({ label: 'arguments', text: `${call.args.length} are given, the method takes ${wanted}`, tone: 'bad' });
  return lines;
}

/** Whether an address was sent in mixed case with a wrong checksum; a single case has no checksum. */
const hasWrongChecksum = (sent: string, spelling: string): boolean =>
  sent !== spelling && sent.slice(2) !== sent.slice(2).toLowerCase() && sent.slice(2) !== sent.slice(2).toUpperCase();

/** A folded part, if there is more than the first screen shows. */
function folded<Item>(
  title: string,
  items: readonly Item[],
  line: (item: Item) => ExplainedLine,
): readonly ExplanationPart[] {
  if (items.length <= SHOWN) return [];
  const lines = items.slice(0, MAX_LINES).map(line);
  const more = items.length - lines.length;
  const rest: readonly ExplainedLine[] =
    more === 0 ? [] : [{ label: '', text: `and ${more} more, in the fields`, tone: 'quiet' }];
  return [{ title: `${title} (${items.length})`, isFolded: true, lines: [...lines, ...rest] }];
}

const SHOWN = 4;

/** The record has all lines. */
const MAX_LINES = 100;

/** The markets that use a spec. */
function marketLines({ markets, knownMarkets }: KnownSpec): readonly ExplainedLine[] {
  if (markets === undefined) return [];
  if (markets.length === 0)
    return [
      {
        label: 'markets',
        text:
          knownMarkets === 1 ? 'not used by the 1 market loaded' : `used by none of the ${knownMarkets} markets loaded`,
        short: `none of ${knownMarkets} loaded`,
        tone: 'quiet',
      },
    ];
  return shortenList(markets, 'markets').map(market =>
    typeof market === 'string' ? { label: 'markets', text: market, tone: 'quiet' } : marketLine(market),
  );
}

const marketLine = ({ id, name, state, uses }: UsingMarket): ExplainedLine => ({
  label: 'markets',
  text: `${name ?? id} ${joinWithAnd(uses.map(use => WORDS[use]))}${state === '' ? '' : `, ${state.replace(/^STATE_/, '')}`}`,
  short: `${name ?? id}${state === 'STATE_ACTIVE' || state === '' ? '' : `, ${state.replace(/^STATE_/, '')}`}`,
  copied: id,
  leadsTo: { entity: 'market', id },
});

const WORDS: { readonly [use in SpecUse['use']]: string } = {
  settlement: 'settles on it',
  termination: 'ends trading with it',
  schedule: 'is scheduled by it',
  'mark-price': 'uses it for its mark price',
  'internal-composite-price': 'uses it for its funding price',
};

/** As many as fit on the first screen, and a note about the others. */
const shortenList = <Item extends object>(items: readonly Item[], word: string): readonly (Item | string)[] =>
  items.length <= MAX_ITEMS_SHOWN
    ? items
    : [...items.slice(0, MAX_ITEMS_SHOWN - 1), `and ${items.length - MAX_ITEMS_SHOWN + 1} more ${word}, below`];

const MAX_ITEMS_SHOWN = 4;

/** A name from the chain as a label, cut to leave room for the text. */
function chainLabel(name: string): string {
  if (name === '') return 'an unnamed value';
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}\u2026` : name;
}

const MAX_NAME_LENGTH = 40;
