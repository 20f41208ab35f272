import fc from 'fast-check'

/**
 * The same inputs in every run: what fails, fails for whoever broke it. `MDTEST_FUZZ_SEED` tries others, `MDTEST_FUZZ_RUNS`
 * tries more: `MDTEST_FUZZ_SEED=$RANDOM MDTEST_FUZZ_RUNS=20000 npm run test:unit`. Both are whole numbers.
 */
fc.configureGlobal({ seed: Number(process.env.MDTEST_FUZZ_SEED ?? 1), numRuns: fuzzRuns(100) })

/** @param usual how many inputs are tried where `MDTEST_FUZZ_RUNS` does not say */
export function fuzzRuns(usual: number): number {
  return Number(process.env.MDTEST_FUZZ_RUNS ?? usual)
}

export default fc
