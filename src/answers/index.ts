// The entry point for querying exports, loaded on demand: no other folder imports the modules behind it.
export { streamQuery } from './dataset/check-query.ts';
export type { SelectedExports, SelectionOptions } from './dataset/choose-exports.ts';
export { withHistoryWhole } from './dataset/history-change.ts';
export {
  type Dataset,
  type DatasetColumn,
  type DatasetOptions,
  type DatasetTable,
  openDataset,
} from './dataset/open-dataset.ts';
export { isExport, type RecognisedPath, recognise } from './dataset/recognise.ts';
export { gatherExports, selectExports } from './dataset/select-exports.ts';
export { type ExternalTable, tableBySchema, tablesFromManifest } from './ddl/external-table.ts';
export { externalTablesSql } from './ddl/statements.ts';
export type { AnswerError } from './engine/answer-error.ts';
export { isStringTooLong, newRowTooLongError } from './engine/answer-error.ts';
export type { ResultColumn } from './engine/database.ts';
export { checkEngine } from './engine/database.ts';
export { isEngineInstalled, requireEngine } from './engine/load-engine.ts';
export { leftNote, openArchives } from './parquet/archives.ts';
export { type ConvertOptions, type ConvertProgress, convertToParquet } from './parquet/convert.ts';
export { type ParquetManifest, readParquetManifest } from './parquet/parquet-manifest.ts';
export { type ConversionPlan, planConversion } from './parquet/plan-conversion.ts';
export { findRequestedExport } from './parquet/requested-export.ts';
export { verifyParquet } from './parquet/verify-parquet.ts';
export { moveReason } from './questions/answer-columns.ts';
export { DIALECT_NAMES, type DialectName } from './questions/dialects/dialects.ts';
export { type ExportNamesFound, readExportNames } from './questions/export-names.ts';
export {
  type BalanceAtTime,
  type Holding,
  type MissingTime,
  missingTimes,
  type PartyAccount,
  type PartyMove,
  partyBalances,
  partyHoldings,
  partyMoves,
  tablesOutsideRange,
} from './questions/party-ledger.ts';
export { type PartyTotal, partyTotals } from './questions/party-totals.ts';
export type { Question, QuestionContext, QuestionValues, ReadyAnswer } from './questions/question.ts';
export {
  answerableQuestions,
  answerQuestion,
  buildQuestionSql,
  findQuestion,
  NAMING_TABLES,
  QUESTIONS,
} from './questions/questions.ts';
export { resolveAssetId } from './questions/resolve-ids.ts';
export { unsavedEpochs } from './questions/row-range.ts';
export type { TableLook } from './viewer/table-look.ts';
export type { ValueCounts } from './viewer/value-counts.ts';
export type {
  ColumnShape,
  FoundText,
  RowsRequest,
  ViewerCell,
  ViewerColumn,
  ViewerRow,
  ViewerTable,
} from './viewer/viewer-table.ts';
export { openViewerTables, type ReadyQuestion, type ViewerTables } from './viewer/viewer-tables.ts';
