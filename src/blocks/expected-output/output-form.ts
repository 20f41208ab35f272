/**
 * Where expected output stands: below its command, in a fence of its own, or in a test case of scrut, where lines end
 * in the marks of scrut.
 */
export type OutputForm = 'transcript' | 'fence' | 'scrut'
