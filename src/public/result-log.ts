export { resultLogSchema } from '../result-log/public-schema.ts'
export type {
  CheckResult,
  LogProblemCode,
  LogReading,
  ResultLog,
  ResultLogSchema,
  StepResult,
} from '../result-log/result-log.ts'
export { parseResultLog } from '../result-log/parse-result-log.ts'
export { readResultLog } from '../result-log/read-result-log.ts'
