import { describe, expect, test } from 'vitest'
import { parseRunTestInput } from '../../../src/commands/mcp/run-test-input.ts'

const right = { runner: 'vitest', scope: 'all', timeout_ms: 60_000, no_output_timeout_ms: 100, max_output_bytes: 1024 }

describe('parseRunTestInput', () => {
  test('reads what is right', () => {
    expect(parseRunTestInput({ ...right, scope: 'file', target: 'a', report_dir: 'b' })).toEqual({
      runner: 'vitest',
      asked: { scope: 'file', target: 'a' },
      times: 1,
      limits: { timeoutMs: 60_000, noOutputTimeoutMs: 100, maxOutputBytes: 1024 },
      reportDir: 'b',
    })
  })

  test.for([
    [{ target: 'a' }, '`target` does not go with scope `all`'],
    [{ scope: 'file' }, 'scope `file` needs a `target`'],
    [{ scope: 'pattern' }, 'scope `pattern` needs a `target`'],
    [{ runner: 'make' }, '`runner`: Invalid option: expected one of "vitest"|"jest"'],
    [{ runner: '__proto__' }, '`runner`: Invalid option'],
    [{ scope: 'some' }, '`scope`: Invalid option: expected one of "all"|"file"|"pattern"|"failed"|"changed"'],
    [{ timeout_ms: 99 }, '`timeout_ms`: Too small: expected number to be >=100'],
    [{ timeout_ms: 3_600_001 }, '`timeout_ms`: Too big: expected number to be <=3600000'],
    [{ runner: undefined }, '`runner`: Invalid option'],
    [{ max_output_bytes: 1024.5 }, '`max_output_bytes`: Invalid input: expected int, received number'],
    [{ timeout_ms: '1000' }, '`timeout_ms`: Invalid input: expected number, received string'],
    [{ target: 3, scope: 'file' }, '`target`: Invalid input: expected string, received number'],
    [
      { command: 'rm' },
      'Unrecognized key: "command". The fields are `runner`, `scope`, `target`, `repeat`, `timeout_ms`',
    ],
  ] as const)('says what is wrong with %j', ([change, message]) => {
    expect(() => parseRunTestInput({ ...right, ...change })).toThrow(message)
  })

  test('needs an object', () => {
    expect(() => parseRunTestInput('all')).toThrow('Invalid input: expected object, received string')
  })
})
