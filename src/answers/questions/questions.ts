import { nearestWord } from '../../base/text/nearest-word.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { toExportValueError } from '../engine/engine-errors.ts';
import { balance } from './balance.ts';
import type { SqlTarget } from './dialects/dialect.ts';
import { type DialectName, QUESTION_DIALECTS } from './dialects/dialects.ts';
import { duckdbDialect } from './dialects/duckdb.ts';
import { fills } from './fills.ts';
import type {
  AnswerMethod,
  Question,
  QuestionContext,
  QuestionName,
  QuestionSql,
  RangedContext,
  ReadyAnswer,
} from './question.ts';
import { received } from './received.ts';
import { requireTable } from './resolve-ids.ts';
import { rewards } from './rewards.ts';
import { rowRange } from './row-range.ts';
import { trades } from './trades.ts';

/** The tables that list the markets and assets on which parties have accounts, except the largest tables. */
export const NAMING_TABLES = [
  ...(['markets', 'liquidity_provisions', 'margin_levels', 'positions', 'trades'] as const),
  ...(['rewards', 'deposits', 'withdrawals'] as const),
];

/** The ready-made questions, in the order of help and menus. */
export const QUESTIONS: readonly Question[] = [
  {
    name: 'received',
    title: 'what a party received and sent, by asset and month',
    tables: ['ledger'],
    naming: NAMING_TABLES,
    needsParty: true,
    whenEmpty: 'no movement in this range on any account that could be computed',
    takes: ['parties', 'asset', 'from', 'to', 'isWhole', 'by', 'types'],
  },
  {
    name: 'balance',
    title: 'the balances of a party, by day or at a time',
    tables: ['balances', 'ledger'],
    naming: NAMING_TABLES,
    needsParty: true,
    whenEmpty: 'no balance on any account that could be computed',
    takes: ['parties', 'asset', 'from', 'to', 'isWhole', 'by', 'at'],
  },
  {
    name: 'rewards',
    title: 'the rewards of parties, by asset and epoch',
    tables: ['rewards'],
    needsParty: false,
    whenEmpty: 'no reward in this range',
    takes: ['parties', 'asset', 'from', 'to', 'isWhole', 'types'],
  },
  {
    name: 'fills',
    title: 'the trades of a party, with side, fee and role',
    tables: ['trades'],
    needsParty: true,
    whenEmpty: 'no trade of the party in this range',
    takes: ['parties', 'market', 'from', 'to', 'isWhole', 'by'],
  },
  {
    name: 'trades',
    title: 'trades by market and day: count, volume, turnover, prices, fees',
    tables: ['trades'],
    needsParty: false,
    whenEmpty: 'no trade in this range',
    takes: ['market', 'from', 'to', 'isWhole', 'by'],
  },
];

const ANSWER_METHODS: {
  readonly [name in QuestionName]: AnswerMethod;
} = { received, balance, rewards, fills, trades };

/** Throws AnswerError for an unknown question, or if the tables and names cannot answer it. */
export async function answerQuestion(name: string, context: QuestionContext): Promise<ReadyAnswer> {
  const question = findQuestion(name);
  const ranged = rangedContext(question, context, { dialect: duckdbDialect, isElsewhere: false });
  const answer = await ANSWER_METHODS[question.name].answer(ranged).catch((error: unknown) => {
    throw toExportValueError(error);
  });
  return { ...answer, notes: [...ranged.range.notes, ...context.dataset.notes, ...answer.notes] };
}

/**
 * The SQL of a question for an engine, over the tables that `convert --ddl` makes of the same Parquet folder. It is not run here.
 * Throws AnswerError like `answerQuestion`.
 */
export async function buildQuestionSql(
  engine: DialectName,
  name: string,
  context: QuestionContext,
): Promise<QuestionSql> {
  const question = findQuestion(name);
  const dialect = QUESTION_DIALECTS[engine];
  const ranged = rangedContext(question, context, { dialect, isElsewhere: true });
  const { sql, notes } = await ANSWER_METHODS[question.name].sql(ranged);
  return { sql: dialect.statement(sql), notes: [...ranged.range.notes, ...context.dataset.notes, ...notes] };
}

function rangedContext(question: Question, context: QuestionContext, target: SqlTarget): RangedContext {
  const { dataset, saved, values } = context;
  const table = requireTable(dataset, question.name, question.tables);
  const range = rowRange({ table, values, saved, hasEpochs: question.name === 'rewards' });
  return { ...context, table, range, target };
}

/** Throws AnswerError for an unknown name. */
export function findQuestion(name: string): Question {
  const question = QUESTIONS.find(candidate => candidate.name === name);
  if (question !== undefined) return question;
  const names = QUESTIONS.map(candidate => candidate.name);
  const near = nearestWord(name, names);
  throw new AnswerError(
    `question "${name}" not found`,
    near === undefined ? `the questions are ${names.join(', ')}` : `did you mean ${near}?`,
  );
}

/** The questions that these tables can answer. */
export const answerableQuestions = (tables: readonly string[]): readonly Question[] =>
  QUESTIONS.filter(question => question.tables.some(table => tables.includes(table)));
