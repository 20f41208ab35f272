export { ReportReporter as default, type ReportOptions } from '../vitest/reporters/report-reporter.ts'
