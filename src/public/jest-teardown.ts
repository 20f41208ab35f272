export { tearDownRun as default } from '../jest/set-up-run.ts'
