import fc from 'fast-check'
import { isDeep } from './depth.ts'

/** The same inputs in every run: what fails, fails for whoever broke it. `MDTEST_FUZZ_SEED`, a whole number, tries others. */
fc.configureGlobal({ seed: Number(process.env.MDTEST_FUZZ_SEED ?? 1), numRuns: isDeep ? 10_000 : 50 })

/** A unit of strings: any character, also one that no language has. The unit `binary` is the same, and takes a second to be made. */
export const anyCharacter = fc
  .oneof(fc.nat(0x7f), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint))

export default fc
