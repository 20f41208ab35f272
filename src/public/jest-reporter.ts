export { JestReportReporter as default, type ReportOptions } from '../jest/report-reporter.ts'
