// The front door of questions to exports, loaded when one is asked: nobody else imports what lies behind it.
export { streamQuery } from './dataset/check-query.ts';
export { exportsLeft, findExports } from './dataset/find-exports.ts';
export {
  type Dataset,
  type DatasetColumn,
  type DatasetOptions,
  type DatasetTable,
  openDataset,
} from './dataset/open-dataset.ts';
export { type ExternalTable, tableBySchema, tablesOf, type Whereabouts } from './ddl/external-table.ts';
export { DIALECTS, externalTables } from './ddl/statements.ts';
export { AnswerError } from './engine/answer-error.ts';
export { Database, type DatabaseLimits, type ResultColumn, type ResultStream } from './engine/database.ts';
export { isEngineThere, loadEngine } from './engine/load-engine.ts';
export { type LookedTables, openLookedTables } from './looking/looked-tables.ts';
export { type ConvertOptions, type ConvertProgress, convertToParquet } from './parquet/convert.ts';
export {
  PARQUET_MANIFEST,
  type ParquetManifest,
  parquetManifestIn,
  readParquetManifest,
} from './parquet/parquet-manifest.ts';
export { type ConversionPlan, type PlannedTable, planConversion } from './parquet/plan-conversion.ts';
export { type NamesFound, namesBeside } from './questions/export-names.ts';
export type { AnswerColumn, Question, QuestionGround, QuestionValues, ReadyAnswer } from './questions/question.ts';
export { answerQuestion, QUESTIONS, questionNamed, questionsFor } from './questions/questions.ts';
export { accountId, accountsOf } from './tables/account-id.ts';
export type { ColumnSchema, TableSchema } from './tables/table-schema.ts';
export { columnSchema, SCHEMAS } from './tables/tables.ts';
