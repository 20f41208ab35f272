export { setUpRun as default } from '../jest/set-up-run.ts'
