export { parseResultLog, resultLogSchema } from '../records/result-log/parse-result-log.ts'
export type {
  CheckResult,
  LogProblemCode,
  LogReading,
  ResultLog,
  ResultLogSchema,
  StepResult,
} from '../records/result-log/result-log.ts'
export { readResultLog } from '../records/result-log/read-result-log.ts'
