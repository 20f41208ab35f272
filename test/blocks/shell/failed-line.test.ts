import { describe, expect, test } from 'vitest'
import { describeFailedLine, failedLineOf, isBroken } from '../../../src/blocks/shell/failed-line.ts'
import type { Block } from '../../../src/spec/spec.ts'

type ScriptBlock = Extract<Block, { kind: 'script' }>

/** Its fence stands at line 10. */
function script(code: string, errexit?: 'off'): ScriptBlock {
  return { kind: 'script', code, codeLine: 11, attributes: { errexit } } as unknown as ScriptBlock // what is read of it
}

const done = (exitCode: number, more: { stdout?: string; stderr?: string; failedLine?: number } = {}) => ({
  status: 'done' as const,
  stdout: '',
  stderr: '',
  exitCode,
  ...more,
})

describe('the line at which a script stopped', () => {
  test.each<[string, ScriptBlock, ReturnType<typeof done>, number | undefined]>([
    ['is what bash tells', script('a\nb\nc'), done(1, { failedLine: 2 }), 12],
    ['is none after a pass', script('a\nb'), done(0, { failedLine: 2 }), undefined],
    ['is none where a script goes on after failures', script('a\nb', 'off'), done(1, { failedLine: 1 }), undefined],
    ['is in the last message', script('a\n${x:?}'), done(1, { stderr: 'bash: line 2: x: not set\n' }), 12],
    ['is in the message of an eval', script('a\nb'), done(1, { stderr: 'bash: eval: line 1: x\n' }), 11],
    ['is not in a message before the last', script('a\nb'), done(1, { stderr: 'bash: line 1: x\nother' }), 12],
    ['is the only `exit` of the code', script('a\nexit 3\nb'), done(3), 12],
    ['is nowhere for two of them', script('exit 3\nexit 3'), done(3), undefined],
    ['is nowhere for an `exit` of another code', script('a\nexit $x'), done(3), undefined],
    ['is the last command without any `exit`', script('a\nb\n# c\n\n'), done(3), 12],
    ['is not an `exit` in a comment', script('a\n# exit 3'), done(3), 11],
    ['is not an `exit` of a longer code', script('exit 31\nb'), done(3), undefined],
    ['is none outside of the script', script('a'), done(1, { failedLine: 7 }), undefined],
    ['is none in an empty script', script(''), done(1), undefined],
    ['is none in comments alone', script('# a\n# b'), done(1), undefined],
  ])('%s', (_title, block, result, line) => {
    expect(failedLineOf(block, result)).toBe(line)
  })
})

describe('the command at which it stopped', () => {
  const asItIs = (text: string): string => text

  test.each<[string, number | undefined, string | undefined]>([
    ['a\n  b --c\nd', 12, 'It stopped at line 12, `b --c`.'],
    ['a', 11, undefined],
    ['# a\nb', 12, undefined],
    ['a\nb', undefined, undefined],
    [`a\n${'x'.repeat(101)}`, 12, `It stopped at line 12, \`${'x'.repeat(100)} …\`.`],
  ])('%j, line %s', (code, line, message) => {
    expect(describeFailedLine(script(code), line, asItIs)).toBe(message)
  })

  test('has no secret in it, also where it is cut', () => {
    const redact = (text: string): string => text.replaceAll('s3cret', '[TOKEN]')
    const code = `a\n${'x'.repeat(97)}s3cret`
    expect(describeFailedLine(script(code), 12, redact)).not.toContain('s3c')
  })
})

test.each([
  [true, 'npm error npx canceled due to missing packages and no YES option: ["cowsay@1.6.0"]'],
  [true, "npm error code E404\nnpm error 404\nnpm error 404  The requested resource 'nodde@*' could not be found"],
  [true, "npm ERR! 404  'nodde@*' is not in this registry."],
  [true, 'npm error could not determine executable to run'],
  [false, "npm error 404  The requested resource 'left@^9.0.0' could not be found"],
  [false, 'npm error code ENOENT\nnpm error path /app/package.json'],
  [false, 'npm error Lifecycle script `test` failed with error:\nnpm error code 1'],
  [false, 'order 404: canceled due to a missing address'],
])('a program that npx does not find is no failure of the product: %s for %j', (isMissing, stderr) => {
  expect(isBroken(done(1, { stderr }))).toBe(isMissing)
})
