import { joinWithAnd } from '../../../base/text/join-words.ts';
import { spellAddress } from '../address.ts';
import { CHAIN_TIME_PROPERTY, conditionText, filterText } from './condition.ts';
import type { Condition, ContractCall, DataSigner, DataSource, PropertyFilter } from './data-source.ts';
import { briefSchedule, type Clock, type Trigger, triggerSchedule } from './schedule.ts';

/** What the source delivers, as one line. */
export function sourceSentence(source: DataSource): string {
  switch (source.variant) {
    case 'eth-oracle': {
      const keys = filtersText(source.filters);
      const call = `call ${source.method}() on ${spellAddress(source.address)}${times(source.triggers, 'contract')}`;
      return keys === '' ? call : `${call}: ${keys}`;
    }
    case 'oracle':
      return `${filtersText(source.filters) || 'any data'} signed by ${signersText(source.signers)}`;
    case 'time':
      return `chain time ${conditionsText(source.conditions.slice(0, 1)) || 'any'}`;
    case 'time-trigger': {
      const conditions = conditionsText(source.conditions);
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
      return `${valueNames(source) || 'the result'}, by calling ${source.method === '' ? 'an unnamed method' : `${source.method}()`} of a contract`;
    case 'oracle':
      return `${shortenNames(source.filters.map(({ key }) => key.name)) || 'any data'}, as signed by ${signersText(source.signers)}`;
    case 'time':
      return 'chain time, until it is reached';
    case 'time-trigger':
      return 'chain time, repeatedly';
    case 'none':
      return 'nothing: the node sends no data source for this spec';
  }
}

/** The names of the values of a call: those with conditions, or all if there are none. */
const valueNames = ({ filters, normalisers }: ContractCall): string =>
  shortenNames(filters.length > 0 ? filters.map(({ key }) => key.name) : normalisers.map(({ name }) => name));

/** Shortened to a few names, since each has its own line elsewhere. */
function shortenNames(names: readonly string[]): string {
  const words = names.map(name => (name === '' ? 'an unnamed value' : name));
  return words.length <= MAX_NAMES
    ? joinWithAnd(words)
    : `${words.slice(0, MAX_NAMES - 1).join(', ')} and ${words.length - MAX_NAMES + 1} more`;
}

const MAX_NAMES = 4;

const filtersText = (filters: readonly PropertyFilter[]): string => filters.map(filterText).join(', ');

const conditionsText = (conditions: readonly Condition[]): string =>
  conditions.map(condition => conditionText(condition, CHAIN_TIME_PROPERTY)).join(' and ');

const times = (triggers: readonly Trigger[], clock: Clock): string =>
  triggers.length === 0
    ? ''
    : `, ${triggers.map(trigger => briefSchedule(triggerSchedule(trigger, clock))).join(' and ')}`;

const signersText = (signers: readonly DataSigner[]): string =>
  signers.length === 1
    ? spellAddress(signers[0]?.id ?? '')
    : `${signers.length === 0 ? 'no signer' : `any of ${signers.length} signers`}`;
