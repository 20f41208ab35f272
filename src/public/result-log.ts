export {
  resultLogSchema,
  type CheckResult,
  type LogProblemCode,
  type LogReading,
  type ResultLog,
  type StepResult,
} from '../result-log/result-log.ts'
export { parseResultLog } from '../result-log/parse-result-log.ts'
export { readResultLog } from '../result-log/read-result-log.ts'
