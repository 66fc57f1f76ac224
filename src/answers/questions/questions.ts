import { nearest } from '../../text/nearest.ts';
import { AnswerError } from '../engine/answer-error.ts';
import { balance } from './balance.ts';
import { fills } from './fills.ts';
import type { Question, QuestionGround, QuestionName, ReadyAnswer } from './question.ts';
import { received } from './received.ts';
import { rewards } from './rewards.ts';
import { trades } from './trades.ts';

/** What is asked often, in the order in which it is offered. */
export const QUESTIONS: readonly Question[] = [
  {
    name: 'received',
    title: 'what a party received and sent, by asset and month',
    tables: ['ledger'],
    needsParty: true,
    takes: ['parties', 'asset', 'from', 'to', 'by', 'types'],
  },
  {
    name: 'balance',
    title: 'what lay on the accounts of a party, by day or at a time',
    tables: ['balances', 'ledger'],
    needsParty: true,
    takes: ['parties', 'asset', 'from', 'to', 'by', 'at'],
  },
  {
    name: 'rewards',
    title: 'what parties were rewarded, by asset and epoch',
    tables: ['rewards'],
    needsParty: false,
    takes: ['parties', 'asset', 'from', 'to', 'types'],
  },
  {
    name: 'fills',
    title: 'the trades of a party, with side, fee and role',
    tables: ['trades'],
    needsParty: true,
    takes: ['parties', 'market', 'from', 'to', 'by'],
  },
  {
    name: 'trades',
    title: 'trades by market and day: count, volume, turnover, prices, fees',
    tables: ['trades'],
    needsParty: false,
    takes: ['market', 'from', 'to', 'by'],
  },
];

const ANSWERS: { readonly [name in QuestionName]: (ground: QuestionGround) => Promise<ReadyAnswer> } = {
  received,
  balance,
  rewards,
  fills,
  trades,
};

/** Throws AnswerError for a question that is none, or that these tables and names do not answer. */
export async function answerQuestion(name: string, ground: QuestionGround): Promise<ReadyAnswer> {
  const question = questionNamed(name);
  const answer = await ANSWERS[question.name](ground);
  return { ...answer, notes: [...rangeOf(question, ground.dataset), ...ground.dataset.notes, ...answer.notes] };
}

/** A sum by month says nothing of the days of that month which are not there: what there is stands beside it. */
function rangeOf({ tables }: Question, { tables: there }: QuestionGround['dataset']): readonly string[] {
  const asked = tables.flatMap(name => there.find(table => table.name === name) ?? [])[0];
  if (asked === undefined) return [];
  const { name, fromBlock, toBlock, firstTime, lastTime } = asked;
  const times = firstTime === null || lastTime === null ? 'no row' : `rows of ${firstTime} to ${lastTime}`;
  return [
    `${name} here is of blocks ${fromBlock ?? '?'} to ${toBlock ?? '?'}, ${times}: what came before and after is not in it`,
  ];
}

/** Throws AnswerError for what is none. */
export function questionNamed(name: string): Question {
  const question = QUESTIONS.find(candidate => candidate.name === name);
  if (question !== undefined) return question;
  const names = QUESTIONS.map(candidate => candidate.name);
  const near = nearest(name, names);
  throw new AnswerError(
    `there is no question "${name}"`,
    near === undefined ? `there are ${names.join(', ')}` : `did you mean ${near}?`,
  );
}

/** The questions that these tables answer. */
export const questionsFor = (tables: readonly string[]): readonly Question[] =>
  QUESTIONS.filter(question => question.tables.some(table => tables.includes(table)));
