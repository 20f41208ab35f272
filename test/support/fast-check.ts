import fc from 'fast-check'
import { isDeep } from './depth.ts'

/** The same inputs in every run: what fails, fails for whoever broke it. `MDTEST_FUZZ_SEED`, a whole number, tries others. */
fc.configureGlobal({ seed: Number(process.env.MDTEST_FUZZ_SEED ?? 1), numRuns: isDeep ? 10_000 : 50 })

export default fc
