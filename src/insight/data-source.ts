import { secondsInWords } from './time.ts';

/** The parts of a data source that its sentence needs; the descriptor of oracle specs reads them. */
export type DataSource =
  | {
      readonly variant: 'eth-oracle';
      readonly method: string;
      readonly address: string;
      readonly every: string;
      readonly filters: readonly Filter[];
    }
  | { readonly variant: 'oracle'; readonly signers: readonly string[]; readonly filters: readonly Filter[] }
  | { readonly variant: 'time'; readonly conditions: readonly Condition[] }
  | { readonly variant: 'time-trigger'; readonly every: string; readonly conditions: readonly Condition[] }
  | { readonly variant: 'none' };

interface Filter {
  readonly name: string;
  readonly conditions: readonly Condition[];
}

export interface Condition {
  readonly operator: string;
  readonly value: string;
}

/** What the source delivers, in one line. */
export function sourceSentence(source: DataSource): string {
  switch (source.variant) {
    case 'eth-oracle': {
      const keys = keysIn(source.filters);
      return `call ${source.method}() on ${source.address}${repeated(source.every)}${keys === '' ? '' : `: ${keys}`}`;
    }
    case 'oracle': {
      const { signers, filters } = source;
      return `${keysIn(filters) || 'any data'} signed by ${signers.length === 1 ? signers[0] : `${signers.length} signers`}`;
    }
    case 'time':
      return `chain time ${source.conditions.map(condition).join(', ') || 'any'}`;
    case 'time-trigger':
      return `chain time${repeated(source.every) || ' trigger'}${source.conditions.map(part => ` ${condition(part)}`).join('')}`;
    case 'none':
      return 'no data source';
  }
}

const keysIn = (filters: readonly Filter[]): string =>
  filters.map(({ name, conditions }) => [name, ...conditions.map(condition)].join(' ')).join(', ');

const repeated = (every: string): string => (every === '' ? '' : `, every ${secondsInWords(every)}`);

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
