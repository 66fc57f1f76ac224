import { spellAddress } from '../address.ts';
import { CHAIN_TIME, conditionText, filterText } from './condition.ts';
import type { Condition, ContractCall, DataSigner, DataSource, PropertyFilter } from './data-source.ts';
import { briefSchedule, type Clock, scheduleOf, type Trigger } from './schedule.ts';

/** What the source delivers, as one line. */
export function sourceSentence(source: DataSource): string {
  switch (source.variant) {
    case 'eth-oracle': {
      const keys = keysIn(source.filters);
      const call = `call ${source.method}() on ${spellAddress(source.address)}${times(source.triggers, 'contract')}`;
      return keys === '' ? call : `${call}: ${keys}`;
    }
    case 'oracle':
      return `${keysIn(source.filters) || 'any data'} signed by ${signersText(source.signers)}`;
    case 'time':
      return `chain time ${conditionsIn(source.conditions.slice(0, 1)) || 'any'}`;
    case 'time-trigger': {
      const conditions = conditionsIn(source.conditions);
      return `chain time${times(source.triggers.slice(0, 1), 'chain') || ' trigger'}${conditions === '' ? '' : `: ${conditions}`}`;
    }
    case 'none':
      return 'no data source';
  }
}

/** What the source watches, without schedule and conditions. */
export function watchesSentence(source: DataSource): string {
  switch (source.variant) {
    case 'eth-oracle':
      return `${namesIn(source) || 'what is returned'}, by calling ${source.method === '' ? 'an unnamed method' : `${source.method}()`} of a contract`;
    case 'oracle':
      return `${someOf(source.filters.map(({ key }) => key.name)) || 'any data'}, as signed by ${signersText(source.signers)}`;
    case 'time':
      return 'chain time, until it is reached';
    case 'time-trigger':
      return 'chain time, repeatedly';
    case 'none':
      return 'nothing: the node sends no data source for this spec';
  }
}

/** The names of the values of a call: those with conditions, or all of them. */
const namesIn = ({ filters, normalisers }: ContractCall): string =>
  someOf(filters.length > 0 ? filters.map(({ key }) => key.name) : normalisers.map(({ name }) => name));

/** Shortened to a few names, since each has its own line elsewhere. */
function someOf(names: readonly string[]): string {
  const words = names.map(name => (name === '' ? 'an unnamed value' : name));
  return words.length <= MOST_NAMES
    ? listed(words)
    : `${words.slice(0, MOST_NAMES - 1).join(', ')} and ${words.length - MOST_NAMES + 1} more`;
}

const MOST_NAMES = 4;

const keysIn = (filters: readonly PropertyFilter[]): string => filters.map(filterText).join(', ');

const conditionsIn = (conditions: readonly Condition[]): string =>
  conditions.map(condition => conditionText(condition, CHAIN_TIME)).join(' and ');

const times = (triggers: readonly Trigger[], clock: Clock): string =>
  triggers.length === 0 ? '' : `, ${triggers.map(trigger => briefSchedule(scheduleOf(trigger, clock))).join(' and ')}`;

const signersText = (signers: readonly DataSigner[]): string =>
  signers.length === 1
    ? spellAddress(signers[0]?.id ?? '')
    : `${signers.length === 0 ? 'nobody' : `any of ${signers.length} signers`}`;

/** `a, b and c`. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1);
  return last === undefined || words.length === 1 ? (last ?? '') : `${words.slice(0, -1).join(', ')} and ${last}`;
}
