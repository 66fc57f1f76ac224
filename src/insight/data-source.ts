import { secondsInWords } from './time.ts';

/** The parts of a data source that its sentence needs; the descriptor of oracle specs reads them. */
export interface DataSource {
  readonly variant: 'eth-oracle' | 'oracle' | 'time' | 'time-trigger' | 'none';
  readonly method: string;
  readonly address: string;
  readonly every: string;
  readonly signers: readonly string[];
  readonly filters: readonly { readonly name: string; readonly conditions: readonly Condition[] }[];
  readonly conditions: readonly Condition[];
}

export interface Condition {
  readonly operator: string;
  readonly value: string;
}

/** What the source delivers, in one line. */
export function sourceSentence(source: DataSource): string {
  const keys = source.filters.map(filter => [filter.name, ...filter.conditions.map(condition)].join(' ')).join(', ');
  const every = source.every === '' ? '' : `, every ${secondsInWords(source.every)}`;
  switch (source.variant) {
    case 'eth-oracle':
      return `call ${source.method}() on ${source.address}${every}${keys === '' ? '' : `: ${keys}`}`;
    case 'oracle':
      return `${keys || 'any data'} signed by ${source.signers.length === 1 ? source.signers[0] : `${source.signers.length} signers`}`;
    case 'time':
      return `chain time ${source.conditions.map(condition).join(', ') || 'any'}`;
    case 'time-trigger':
      return `chain time${every || ' trigger'}${source.conditions.map(part => ` ${condition(part)}`).join('')}`;
    case 'none':
      return 'no data source';
  }
}

/** `≥ 1700000000`; an operator this program does not know keeps its name. */
export function condition({ operator, value }: Condition): string {
  return `${Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : operator} ${value}`;
}

const OPERATORS: { readonly [name: string]: string } = {
  OPERATOR_EQUALS: '=',
  OPERATOR_GREATER_THAN: '>',
  OPERATOR_GREATER_THAN_OR_EQUAL: '≥',
  OPERATOR_LESS_THAN: '<',
  OPERATOR_LESS_THAN_OR_EQUAL: '≤',
};
