import fc from 'fast-check'

/**
 * The same inputs in every run: what fails, fails for whoever broke it. `MDTEST_FUZZ_SEED` tries others, for example
 * `MDTEST_FUZZ_SEED=$RANDOM npm run test:unit`; a whole number.
 */
fc.configureGlobal({ seed: Number(process.env.MDTEST_FUZZ_SEED ?? 1) })

export default fc
