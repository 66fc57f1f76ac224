// The entry point for reports, loaded only when one is made.
export { htmlReport } from './html.ts';
export { type Book, makeEvents, makeJournal } from './make-books.ts';
export {
  answerParty,
  makeReport,
  type PartyAnswers,
  REPORTED_TABLES,
  type ReportInput,
  type ReportRequest,
} from './make-report.ts';
export { markdownReport } from './markdown.ts';
export type { PartyReport, ReportFigure, ReportSection } from './report.ts';
export { reportSummary } from './report-texts.ts';
