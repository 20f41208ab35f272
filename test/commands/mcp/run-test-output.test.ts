import { expect, test } from 'vitest'
import { shortenFailures } from '../../../src/commands/mcp/run-test-output.ts'

test.for([
  ['AssertionError: expected 2 to be 1\n  at a.ts:3:1', 'AssertionError: expected 2 to be 1'],
  [
    'Transform failed with 1 error:\n\n[PARSE_ERROR] Expected `)`',
    'Transform failed with 1 error: [PARSE_ERROR] Expected `)`',
  ],
  ["/app/a.test.js:1\ntest('a')\n^\n\nReferenceError: test is not defined", 'ReferenceError: test is not defined'],
  [
    'File "/app/test_a.py", line 1\n    def a(:\n          ^\nSyntaxError: invalid syntax',
    'SyntaxError: invalid syntax',
  ],
  ['got 3, want 4\nError: later', 'got 3, want 4'],
  ['', ''],
])('says of %j what tells most', ([message, told]) => {
  const { kept } = shortenFailures([{ name: 'a', message: message ?? '' }], { maxBytes: 10_000 })
  expect(kept).toEqual([{ name: 'a', message: told }])
})
