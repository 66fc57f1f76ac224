import { shellWord } from '../text/shell-word.ts';
import { type Filter, flagOf } from './filter.ts';

/** A filter and its value as command-line flags: `--market-id ab`, `--live`. */
export const filterFlag = (filter: Filter, value: string): string =>
  filter.kind === 'boolean'
    ? `--${flagOf(filter)}${value === 'true' ? '' : '=false'}`
    : `--${flagOf(filter)} ${shellWord(value)}`;
