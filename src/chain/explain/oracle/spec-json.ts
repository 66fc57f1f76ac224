import { utcTime } from '../../../base/text/time.ts';
import type { Json, JsonObject } from '../../api/json.ts';
import { normaliserText } from '../../insight/oracle/abi.ts';
import { CHAIN_TIME_PROPERTY, conditionText, readableValue, requirementText } from '../../insight/oracle/condition.ts';
import { chainText, type DataSigner, type Property } from '../../insight/oracle/data-source.ts';
import { ignoredParts } from '../../insight/oracle/delivery.ts';
import { type Schedule, scheduleText } from '../../insight/oracle/schedule.ts';
import { watchesSentence } from '../../insight/oracle/source-sentence.ts';
import { readSeconds, roughPeriod, secondsToUtc } from '../../insight/oracle/unix-seconds.ts';
import { isNeverDueAgain, nextText } from './due-lines.ts';
import { type KnownSpec, namedArguments, sourceFilters } from './known-spec.ts';

/** The members listed in docs/reference/meaning-members.md. */
export const specJson = (spec: KnownSpec): JsonObject => ({
  id: spec.id,
  status: spec.status.replace(/^STATUS_/, ''),
  createdAt: timeOfNs(spec.createdAt),
  watches: watchesSentence(spec.source),
  source: sourceJson(spec),
  triggers: spec.schedules.map(triggerJson),
  last: { due: time(spec.due.last), standing: spec.delivery.kind, missedSince: missedSince(spec) },
  next: { due: time(spec.due.next) ?? (isNeverDueAgain(spec) ? 'never' : null), words: nextText(spec) },
  conditions: conditionsJson(spec),
  ignored: ignoredJson(spec),
  markets:
    spec.markets?.map(({ id, name, state, uses }) => ({
      id,
      name: name ?? null,
      state: state.replace(/^STATE_/, ''),
      uses,
    })) ?? null,
  lastValue: lastValueJson(spec),
  errors:
    spec.arrivals?.errors.map(({ broadcastAt, error }) => ({ at: timeOfNs(broadcastAt), message: error })) ?? null,
  unknown: unknownSentences(spec),
});

function sourceJson(spec: KnownSpec): JsonObject {
  const { source, called, inChecksumCase } = spec;
  switch (source.variant) {
    case 'eth-oracle': {
      const known = called === undefined || 'problem' in called ? undefined : called;
      const method = known?.method;
      return {
        kind: source.variant,
        chain: { id: source.sourceChainId || null, name: chainText(source.sourceChainId) },
        contract: inChecksumCase(source.address),
        method: {
          key: source.method,
          declaration: known?.declaration ?? null,
          signature: known?.signature ?? null,
          selector: known?.selector ?? null,
          problem: called !== undefined && 'problem' in called ? called.problem : '',
        },
        args: called === undefined ? [] : namedArguments(source, called).map(argument => ({ ...argument })),
        confirmations: source.requiredConfirmations || null,
        normalisers: source.normalisers.map(normaliser => ({
          ...normaliser,
          words: normaliserText(normaliser, method),
        })),
      };
    }
    case 'oracle':
      return {
        kind: source.variant,
        signers: source.signers.map(signer => signerJson(spec, signer)),
      };
    case 'time':
    case 'time-trigger':
    case 'none':
      return { kind: source.variant };
  }
}

function triggerJson(schedule: Schedule): JsonObject {
  const words = scheduleText(schedule);
  switch (schedule.kind) {
    case 'once':
    case 'exactly':
      return { repeats: false, first: time(schedule.at), words };
    case 'every': {
      const { from, every, until } = schedule;
      return {
        repeats: true,
        first: time(from),
        everySeconds: String(every),
        until: until === undefined ? 'for ever' : time(until),
        words,
      };
    }
    case 'sometime':
      return { repeats: true, first: null, everySeconds: String(schedule.every), until: 'for ever', words };
    case 'never':
      return { repeats: false, first: 'never', words };
    case 'unreadable':
      return { repeats: null, first: null, words };
  }
}

/** One entry per condition; a value that may be anything has one too. */
const conditionsJson = ({ source }: KnownSpec): readonly Json[] =>
  sourceFilters(source).flatMap(filter => {
    const { key, conditions } = filter;
    const about = { key: key.name, type: key.type.replace(/^TYPE_/, ''), decimals: key.decimalPlaces || null };
    if (conditions.length === 0)
      return [{ ...about, operator: 'ANY', raw: '', value: '', words: requirementText(filter) }];
    return conditions.map(condition => ({
      ...about,
      operator: condition.operator.replace(/^OPERATOR_/, ''),
      raw: condition.value,
      value: plainValue(condition.value, key),
      words: `${key.name} ${conditionText(condition, key)}`,
    }));
  });

/** What the spec names but the chain ignores. */
function ignoredJson({ source }: KnownSpec): JsonObject {
  const { conditions, triggers } = ignoredParts(source);
  return { conditions: conditions.map(condition => conditionText(condition, CHAIN_TIME_PROPERTY)), triggers };
}

function lastValueJson(spec: KnownSpec): Json {
  const { arrivals, properties } = spec;
  if (arrivals === undefined || (arrivals.value === undefined && arrivals.hasMore)) return null;
  const { value } = arrivals;
  if (value === undefined) return { arrived: false };
  return {
    arrived: true,
    at: timeOfNs(value.broadcastAt),
    readAt: time(readSeconds(value.sourceTime)),
    readAtBlock: value.sourceHeight || null,
    signers: value.signers.map(signer => signerJson(spec, signer)),
    data: value.values.map(({ name, value: raw }) => ({ name, raw, value: plainValue(raw, properties.get(name)) })),
  };
}

const signerJson = ({ inChecksumCase, nameOfSigner }: KnownSpec, signer: DataSigner): JsonObject => ({
  kind: signer.kind,
  id: inChecksumCase(signer.id),
  name: nameOfSigner(signer) ?? null,
});

/** A value for programs: a number without grouping, a time in ISO format. */
function plainValue(raw: string, property: Property | undefined): string {
  if (property === undefined) return raw;
  return property.type === 'TYPE_TIMESTAMP' ? (time(readSeconds(raw)) ?? raw) : readableValue(raw, property);
}

function missedSince({ delivery }: KnownSpec): Json {
  switch (delivery.kind) {
    case 'awaited':
    case 'overdue':
    case 'ended':
      return time(delivery.since);
    case 'nothing-due':
    case 'arrived':
      return 'never';
    case 'over':
    case 'was-due':
      return null;
  }
}

function time(seconds: bigint | undefined): string | null {
  const words = seconds === undefined ? '' : secondsToUtc(seconds);
  return words.endsWith(' UTC') ? words.replace(' ', 'T').replace(' UTC', 'Z') : null;
}

function timeOfNs(ns: string): string | null {
  const words = utcTime(ns);
  return words.endsWith(' UTC') ? words.replace(' ', 'T').replace(' UTC', 'Z') : null;
}

/** The unknown facts about a spec, in sentences. */
export function unknownSentences({
  source,
  otherSources,
  arrivals,
  markets,
  status,
  called,
  silentFor,
  saysBlockTime,
  delivery,
}: KnownSpec): readonly string[] {
  const sentences: string[] = [];
  if (otherSources.length > 0)
    sentences.push(`the other definitions: this is the first of ${otherSources.length + 1} definitions`);
  if (markets === undefined) sentences.push('which markets use it: no market is loaded');
  if (arrivals === undefined && source.variant !== 'none')
    sentences.push('the last value: the node does not serve it, or not now');
  if (!saysBlockTime && source.variant === 'eth-oracle' && arrivals !== undefined && delivery.kind === 'was-due')
    sentences.push('whether a value is late: the node did not give the time of its last block');
  if (silentFor > 0n)
    sentences.push(`what happened in the last ${roughPeriod(silentFor)}: the node has no later block`);
  if (status === 'STATUS_DEACTIVATED') sentences.push('when it was deactivated');
  if (source.variant === 'eth-oracle' && called !== undefined && 'problem' in called)
    sentences.push(`the types of the call: ${called.problem}`);
  return sentences;
}
